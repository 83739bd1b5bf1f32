import { expect, it } from 'vitest';
import { ViewRegistry } from '../index.js';

it('[R-OPS-9] shows a tool by its view or its name in whatever case, an input by its origin, a marker by its key; only tools fall back', () => {
  const views = new ViewRegistry<string>({ fallbackTool: 'any tool' }).registerTool('Bash', 'shell').registerTool('DIFF', 'diff').registerInput('cron', 'clock').registerMarker('goal', 'flag');
  expect(views.resolveTool({ name: 'bash' })).toBe('shell');
  expect(views.resolveTool({ name: 'Edit', view: 'Diff' })).toBe('diff');
  expect(views.resolveTool({ name: 'Bash', view: 'unknown' })).toBe('any tool');
  expect(views.resolveInput({ kind: 'cron' })).toBe('clock');
  expect(views.resolveInput({ kind: 'user' })).toBeUndefined();
  expect(views.resolveMarker('goal')).toBe('flag');
  expect(views.resolveMarker('Goal')).toBeUndefined();
  expect(views.registerTool('bash', 'other').resolveTool({ name: 'BASH' })).toBe('other');
  expect(new ViewRegistry().resolveTool({ name: 'Bash' })).toBeUndefined();
});
