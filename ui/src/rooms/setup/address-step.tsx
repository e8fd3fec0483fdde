import { Alert, Button, Code, Skeleton, Stack, Text } from '@mantine/core'
import { aboutRoutes } from '@signalbox/contracts/about/routes'
import { identityRoutes } from '@signalbox/contracts/access/routes'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read, useWrite } from '../../client/index.ts'
import { CopyButton, Facts, ProblemNotice } from '../../components/index.ts'

/** Compares the configured address with that of this page, and ends the bootstrap token. */
export function AddressStep({ onDone }: { readonly onDone: () => void }): ReactNode {
  const about = useQuery(read(aboutRoutes.getAbout))
  const here = new URL('.', document.baseURI).href.replace(/\/$/, '')
  const configured = about.data?.system?.base_url
  const line = `base_url: ${here}`
  return (
    <Stack gap="md">
      <ProblemNotice error={about.error} onRetry={() => void about.refetch()} />
      {about.isPending && <Skeleton h="6rem" />}
      {configured !== undefined && (
        <Facts
          facts={[
            ['This page is open at', here],
            ['People and Git providers are told', configured],
          ]}
        />
      )}
      {configured !== undefined && configured !== here && (
        <Alert color="caution" variant="light" title="The addresses differ">
          <Text>
            If people open the page as you do now, put this line into <Code>signalbox.yaml</Code> and start the control
            plane again. Payload URLs of sources and links in reports begin with it, and browsers on plain http are
            refused at any other address.
          </Text>
          <Code block tabIndex={0} my="sm">
            {line}
          </Code>
          <CopyButton text={line} label="Copy the line" />
        </Alert>
      )}
      <BootstrapEnd />
      <Button size="sm" onClick={onDone}>
        Go on
      </Button>
    </Stack>
  )
}

/** The bootstrap token is an administrator for everybody who reads the file: it has served its time. */
function BootstrapEnd(): ReactNode {
  const bootstrap = useQuery(read(identityRoutes.getBootstrap))
  const revoke = useWrite(identityRoutes.revokeBootstrap, { changes: [identityRoutes.getBootstrap] })
  if (!bootstrap.data) return null
  if (!bootstrap.data.valid) return <Text>The bootstrap token is revoked.</Text>
  return (
    <Alert color="note" variant="light" title="The bootstrap token still is an administrator">
      <Text>Whoever can read it may do everything. You sign in with your password now: revoke it.</Text>
      <Text mt="xs">
        Triggers and schedules that were made with it start nothing then. If there are some, end it with{' '}
        <Code>signalbox setup revoke-bootstrap --take-over</Code>, which makes you their owner first.
      </Text>
      <ProblemNotice error={revoke.error} />
      <Button variant="default" mt="sm" loading={revoke.isPending} onClick={() => revoke.mutate({})}>
        Revoke the bootstrap token
      </Button>
    </Alert>
  )
}
