import { describe, expect, it } from 'vitest';
import { checkPlanRevision, parseDaemonFileRef, planRevisionPath, projectTranscriptUserOrigin } from '../index.js';

describe('references to what is kept elsewhere', () => {
  it.each([
    ['kimi-file://f_1', { fileId: 'f_1' }], ['kimi-file://f_1?path=%2Fa%20b.png', { fileId: 'f_1' }], ['kimi-file://f?a?b', { fileId: 'f' }], ['kimi-file://', undefined], ['kimi-file://?path=x', undefined],
    ['https://example.com/a.png', undefined], ['', undefined],
  ])('%s', (url, ref) => expect(parseDaemonFileRef(url)).toEqual(ref));

  it('[R-OPS-11] a plan revision is found by the function that the caller passes', () => {
    expect(planRevisionPath({ key: 'plan/p/v1.md' }, (key) => `agents/main/${key}`)).toBe('agents/main/plan/p/v1.md');
    expect(planRevisionPath({ key: 'plan/p/v1.md' }, () => undefined)).toBe('plan/p/v1.md');
    expect(planRevisionPath({ key: 'k' })).toBe('k');
    expect(planRevisionPath({ path: 'older/v1.md' }, () => 'never asked')).toBe('older/v1.md');
    expect(planRevisionPath({})).toBeUndefined();
  });

  it('[R-OPS-11] its file is held against the digest and the size of its record', () => {
    const file = { sha256: 'ab12', bytes: 3 };
    expect(checkPlanRevision({ sha256: 'AB12', bytes: 3 }, file)).toBe('verified');
    expect(checkPlanRevision({ sha256: 'ab12' }, file)).toBe('verified');
    expect(checkPlanRevision({ sha256: 'ab12', bytes: 4 }, file)).toBe('mismatch');
    expect(checkPlanRevision({ sha256: 'cd34', bytes: 3 }, file)).toBe('mismatch');
    expect(checkPlanRevision({}, file)).toBe('unchecked');
    expect(checkPlanRevision({ sha256: 'ab12' }, undefined)).toBe('missing');
  });
});

describe('where an input came from', () => {
  it.each([
    [{ kind: 'user', secret: 1 }, { kind: 'user' }],
    [{ kind: 'user', clientMetadata: [{ a: 1 }], skillActivations: [{ activationId: 'x', skillName: 'review', skillArgs: 'now' }, { skillName: 1 }] }, { kind: 'user', clientMetadata: [{ a: 1 }], skillActivations: [{ skillName: 'review', skillArgs: 'now' }] }],
    [{ kind: 'skill_activation', trigger: 'user-slash', skillName: 'review', activationId: 'x' }, { kind: 'skill_activation', trigger: 'user-slash', skillName: 'review' }],
    [{ kind: 'skill_activation', trigger: 'model-tool', skillName: 'review' }, undefined], [{ kind: 'skill_activation', trigger: 'user-slash', skillName: '' }, undefined],
    [{ kind: 'cron_job' }, undefined], [null, undefined], ['user', undefined],
  ])('%j', (origin, projected) => expect(projectTranscriptUserOrigin(origin)).toEqual(projected));
});
