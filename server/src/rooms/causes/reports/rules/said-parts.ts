import type { Answer, Note } from './comment.ts'

/** What is stored beside a comment, read leniently: a later version may have written more. */
export function readSaidParts(said: { readonly notes: unknown; readonly answers: unknown }): {
  readonly notes: readonly Note[]
  readonly answers: readonly Answer[]
} {
  return {
    notes: objectsOf(said.notes).map((note) => ({
      name: textOf(note, 'name'),
      pipeline: textOf(note, 'pipeline'),
      reason: textOf(note, 'reason'),
    })),
    answers: objectsOf(said.answers).map((answer) => ({
      commentId: textOf(answer, 'commentId'),
      reaction: textOf(answer, 'reaction'),
      text: textOf(answer, 'text'),
    })),
  }
}

function objectsOf(list: unknown): readonly object[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'object' && item !== null) : []
}

function textOf(item: object, key: string): string {
  const value: unknown = Object.entries(item).find(([name]) => name === key)?.[1]
  return typeof value === 'string' ? value : ''
}
