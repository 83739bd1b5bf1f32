import type { AgentTranscriptSnapshot } from '../model/snapshot.js';
import type { TranscriptOperation } from '../operations/operation.js';
import { GRADE_RANK, type TranscriptGrade } from './grade.js';

/** The lowest grade that gets an operation. */
function gradeOf(op: TranscriptOperation): TranscriptGrade {
  switch (op.op) {
    case 'append': return 'delta';
    case 'step.upsert': case 'frame.upsert': return 'block';
    default: return 'turn';
  }
}

const reaches = (grade: TranscriptGrade, needed: TranscriptGrade): boolean => GRADE_RANK[grade] >= GRADE_RANK[needed];

/** The snapshot as a reader of a grade may see it: below `block` without steps. The same object where nothing is left out. */
export function redactSnapshotForGrade(grade: TranscriptGrade, snapshot: AgentTranscriptSnapshot): AgentTranscriptSnapshot {
  if (reaches(grade, 'block')) return snapshot;
  return { ...snapshot, items: snapshot.items.map((item) => (item.kind === 'turn' ? { ...item, steps: [] } : item)) };
}

/** The operations that a reader of a grade gets, in order. A `reset` among them is redacted as a snapshot is. */
export function filterOpsForGrade(grade: TranscriptGrade, ops: readonly TranscriptOperation[]): TranscriptOperation[] {
  if (grade === 'off') return [];
  const passing = ops.filter((op) => reaches(grade, gradeOf(op)));
  return passing.map((op) => (op.op === 'reset' && !reaches(grade, 'block') ? { ...op, snapshot: redactSnapshotForGrade(grade, op.snapshot) } : op));
}

/** Whether a batch holds appends and nothing else: such a batch may be dropped for a slow reader, as a whole value follows. */
export function isAppendOnly(ops: readonly TranscriptOperation[]): boolean {
  return ops.length > 0 && ops.every(({ op }) => op === 'append');
}
