import { Code, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyButton, ShownOnce } from '../../components/index.ts'
import { curlOf, type WithSecret, wholeAddress } from './external-trigger.ts'

/** The secret of an external trigger in the only moment in which it can be seen, with the command that uses it. */
export function ShownSecret({ made }: { readonly made: WithSecret }): ReactNode {
  const curl = curlOf(wholeAddress(made.url, document.baseURI), made.secret)
  return (
    <Stack gap="md" mb="lg" role="status">
      <ShownOnce label={`The secret of ${made.identifier}`} secret={made.secret}>
        <Text size="sm" mt="sm">
          A sender fires with it so:
        </Text>
        <Code block tabIndex={0}>
          {curl}
        </Code>
        <CopyButton text={curl} label="Copy the command" />{' '}
      </ShownOnce>
      <ShownOnce label="The address that fires by itself" secret={wholeAddress(made.secret_url, document.baseURI)}>
        <Text size="sm">For senders that can set no header. Whoever knows it can fire; proxies may log it.</Text>
      </ShownOnce>
    </Stack>
  )
}
