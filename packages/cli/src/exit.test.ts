import { StoreError } from '@tapefold/store';
import { TapeError } from '@tapefold/tapes';
import { CommanderError } from 'commander';
import { expect, test } from 'vitest';
import { ClosedPipe, UsageError, failureOf } from './exit.js';

test.each([
  [new StoreError('threadNotFound', { id: 'x' }), 1], [new StoreError('homeNotFound', { path: '/x' }), 1], [new TapeError('unreadable', { path: '/x' }), 1], [new UsageError('no'), 2], [new ClosedPipe(), 0],
  [new CommanderError(1, 'commander.unknownOption', ''), 2], [new CommanderError(0, 'commander.version', ''), 0], [new Error('oops'), 3], ['thrown', 3],
])('%s exits with %i', (error, exitCode) => expect(failureOf(error).exitCode).toBe(exitCode));

test('a bug asks to be reported', () => {
  expect(failureOf(new TypeError('x is undefined')).message).toBe('this is a bug (x is undefined): please report it with what TAPEFOLD_DEBUG=1 prints.');
});
