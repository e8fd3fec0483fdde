import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyButton, Facts, PageLink } from '../../components/index.ts'
import { PROVIDERS } from './providers.ts'
import type { Source } from './source.ts'

/** What a person enters at the provider, in the provider's own words. */
export function PasteValues({ source }: { readonly source: Source }): ReactNode {
  const provider = PROVIDERS.find(({ id }) => id === source.provider)
  return (
    <>
      {provider && (
        <Text size="sm" mb="sm">
          {provider.where}
        </Text>
      )}
      <Facts
        facts={[
          [
            provider?.addressField ?? 'Address',
            source.payload_url === null ? (
              'Set base_url of the control plane: then the address stands here.'
            ) : (
              <span key="address">
                <code>{source.payload_url}</code>{' '}
                <CopyButton text={source.payload_url} label="Copy the address" isCompact />
              </span>
            ),
          ],
          [
            provider?.secretField ?? 'Secret',
            <span key="secret">
              the value of {source.credential_ref}, which is stored sealed; see{' '}
              <PageLink underline="always" to="/t/$team/secrets" params={{ team: source.team_path }}>
                the secrets
              </PageLink>
            </span>,
          ],
          ['Content type', provider?.contentType ?? 'application/json'],
          ['Events', provider?.events ?? 'all that a trigger needs'],
        ]}
      />
    </>
  )
}
