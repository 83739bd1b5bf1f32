import type { ReviewFinding } from '@tapefold/facts';

/** Lines without their terminators; a terminator at the end begins no further line. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function findingText(finding: ReviewFinding): string {
  const title = `- ${finding.title} — ${finding.path}:${finding.startLine}-${finding.endLine}`;
  return [title, ...linesOf(finding.body).map((line) => `  ${line}`)].join('\n');
}

/** What a review is of: the words of the person's request. */
export function reviewRequestText(hint: string | undefined): string {
  return hint ?? 'Review requested.';
}

/** The result of a review as the original program words it: explanation, heading and findings, a blank line between. */
export function reviewResultText(explanation: string | undefined, findings: readonly ReviewFinding[]): string {
  const blocks = [explanation?.trim() ?? ''].filter((text) => text !== '');
  if (findings.length > 0) blocks.push(findings.length === 1 ? 'Review comment:' : 'Full review comments:', ...findings.map(findingText));
  return blocks.length > 0 ? blocks.join('\n\n') : 'Reviewer failed to output a response.';
}
