import type { SourceDefinition } from './source.ts'

/** The settings for the source's provider that are worth adding, as sentences. */
export function notesOf(
  { acknowledgeUnmapped }: SourceDefinition,
  provider: { readonly title: string; readonly pausesAfter: number | null } | undefined,
): string[] {
  if (acknowledgeUnmapped || !provider || provider.pausesAfter === null) return []
  const { title, pausesAfter } = provider
  const answers = pausesAfter === 1 ? 'one answer that is' : `${pausesAfter} answers in a row that are`
  return [
    `${title} pauses a webhook after ${answers} no 2xx, and an event that nothing can use is answered 422. ` +
      'Set acknowledge_unmapped, and it is answered 200.',
  ]
}
