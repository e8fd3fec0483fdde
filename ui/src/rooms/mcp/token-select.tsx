import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormRow, showInvisible } from '../../components/index.ts'
import { type Token, tokenWords } from './tools.ts'

interface TokenSelectProps {
  readonly tokens: readonly Token[]
  readonly value: string | undefined
  readonly onChange: (id: string | undefined) => void
}

/** Whose eyes the tools are seen with. */
export function TokenSelect({ tokens, value, onChange }: TokenSelectProps): ReactNode {
  return (
    <FormRow>
      <Select
        label="Token"
        description="Your own, and those of service accounts that you manage"
        placeholder="You, without the limits of a token"
        clearable
        searchable
        data={tokens.map((token) => ({ value: token.id, label: showInvisible(tokenWords(token)) }))}
        value={value ?? null}
        onChange={(chosen) => onChange(chosen ?? undefined)}
      />
    </FormRow>
  )
}
