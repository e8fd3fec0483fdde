import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { fieldError, GrowingText } from '../../components/index.ts'
import type { KnowledgeDraft } from './item.ts'

interface ItemFieldsProps {
  readonly draft: KnowledgeDraft
  readonly onChange: (draft: KnowledgeDraft) => void
  readonly error: Error | null
}

/** The fields that the form marks itself. */
export const ITEM_FIELDS = ['scope', 'rule', 'message', 'text', 'time_zone']

/** What an item says, and where it holds. */
export function ItemFields({ draft, onChange, error }: ItemFieldsProps): ReactNode {
  const set = (change: Partial<KnowledgeDraft>): void => onChange({ ...draft, ...change })
  return (
    <>
      <TextInput
        label="Scope"
        description="A pattern over scopes: * within a part, ** across."
        required
        value={draft.scope}
        error={fieldError(error, 'scope')}
        onChange={({ currentTarget }) => set({ scope: currentTarget.value })}
      />
      <GrowingText
        label="Rule"
        description="CEL that must be true. Empty: a reference."
        least={2}
        value={draft.rule}
        error={fieldError(error, 'rule')}
        onChange={({ currentTarget }) => set({ rule: currentTarget.value })}
      />
      <TextInput
        label="Message"
        description="Shown where the rule does not hold: what is wrong, and what to do instead."
        value={draft.message}
        error={fieldError(error, 'message')}
        onChange={({ currentTarget }) => set({ message: currentTarget.value })}
      />
      <TextInput
        label="Time zone"
        description="Of `now` in the rule."
        value={draft.timeZone}
        error={fieldError(error, 'time_zone')}
        onChange={({ currentTarget }) => set({ timeZone: currentTarget.value })}
      />
      <GrowingText
        label="Text"
        description="Markdown, for people and models."
        least={4}
        value={draft.text}
        error={fieldError(error, 'text')}
        onChange={({ currentTarget }) => set({ text: currentTarget.value })}
      />
    </>
  )
}
