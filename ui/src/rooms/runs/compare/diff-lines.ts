export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'place' | 'same'
  readonly text: string
}

/** The lines of a difference in unified form; the two lines that name the files say nothing here. */
export function diffLines(diff: string): readonly DiffLine[] {
  return diff
    .replace(/\n$/, '')
    .split('\n')
    .filter((line) => !line.startsWith('--- ') && !line.startsWith('+++ ') && !/^(=+|Index: .*)$/.test(line))
    .map((text) => ({ kind: KINDS[text[0] ?? ''] ?? 'same', text }))
}

const KINDS: Readonly<Record<string, DiffLine['kind']>> = { '+': 'added', '-': 'removed', '@': 'place' }
