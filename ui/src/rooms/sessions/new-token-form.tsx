import { NativeSelect, TextInput } from '@mantine/core'
import { tokenRoutes } from '@signalbox/contracts/access/routes'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useWrite } from '../../client/index.ts'
import { FormRow, fieldError, ProblemNotice, ReadyButton } from '../../components/index.ts'
import { NO_LIMITS, sentLimits } from '../../components/token-limits.ts'
import { LIMIT_FIELDS, TokenLimitsFields, useKnownPermissions } from '../../components/token-limits-fields.tsx'
import type { MadeToken } from './shown-token.tsx'
import { expiryAfter, LIFETIMES } from './token-expiry.ts'

/** Asks for the name of a new token, how long it lives, and what it may do at most. */
export function NewTokenForm({ onMade }: { readonly onMade: (made: MadeToken) => void }): ReactNode {
  const [name, setName] = useState('')
  const [days, setDays] = useState('90')
  const [limits, setLimits] = useState(NO_LIMITS)
  const known = useKnownPermissions()
  const create = useWrite(tokenRoutes.createToken, { changes: [tokenRoutes.listTokens], onDone: onMade })

  function submit(event: FormEvent): void {
    event.preventDefault()
    create.mutate({ body: { name, expires_at: expiryAfter(days, new Date()), ...sentLimits(limits, known) } })
  }

  return (
    <form onSubmit={submit}>
      <FormRow>
        <TextInput
          label="Name"
          description="Its purpose, such as the machine that uses it"
          required
          maxLength={200}
          value={name}
          error={fieldError(create.error, 'name')}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <NativeSelect
          label="Works for"
          data={LIFETIMES}
          value={days}
          onChange={({ currentTarget }) => setDays(currentTarget.value)}
        />
      </FormRow>
      <FormRow>
        <TokenLimitsFields value={limits} onChange={setLimits} error={create.error} />
        <ReadyButton type="submit" loading={create.isPending}>
          Create the token
        </ReadyButton>
      </FormRow>
      <ProblemNotice error={create.error} marked={['name', ...LIMIT_FIELDS]} />
    </form>
  )
}
