import { Button, Stack } from '@mantine/core'
import { sessionRoutes } from '@signalbox/contracts/sessions/routes'
import type { ReactNode } from 'react'
import { addressOf, noteSignIn } from '../client/index.ts'

interface ProviderLinksProps {
  readonly providers: readonly { readonly id: string; readonly name: string }[]
  /** The address of the page to come back to, such as `/t/acme/runs`. */
  readonly wanted: string
  /** In another tab: what stands in this one is kept. */
  readonly inNewTab?: boolean
}

/** The ways to sign in with an account elsewhere. */
export function ProviderLinks({ providers, wanted, inNewTab = false }: ProviderLinksProps): ReactNode {
  const start = addressOf(sessionRoutes.getSignIn, {})
  return (
    <Stack gap="sm">
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          component="a"
          variant="default"
          size="sm"
          href={`${start}/${encodeURIComponent(id)}?return_to=${encodeURIComponent(`#${wanted}`)}`}
          onClick={noteSignIn}
          {...(inNewTab ? { target: '_blank', rel: 'noopener' } : {})}
        >
          Sign in with {name}
        </Button>
      ))}
    </Stack>
  )
}
