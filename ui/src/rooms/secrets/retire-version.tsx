import { Text } from '@mantine/core'
import { secretRoutes } from '@signalbox/contracts/secrets/routes'
import { type ReactNode, useState } from 'react'
import { useWrite } from '../../client/index.ts'
import { AllowedButton, FormDialog, Instant } from '../../components/index.ts'
import type { Secret } from './secret.ts'

interface RetireVersionProps {
  readonly secret: Secret
  readonly version: number
}

/** The older version that still works beside the new one, and the end of it. */
export function RetireVersion({ secret, version }: RetireVersionProps): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const retire = useWrite(secretRoutes.retireSecretVersion, {
    changes: [secretRoutes.listSecrets, secretRoutes.getSecret],
    onDone: () => setAsking(false),
  })
  const lastUsed = secret.versions.find((each) => each.version === version)?.last_used_at
  return (
    <>
      {' and '}
      {version}{' '}
      <AllowedButton permission="secret.write" at={secret.team_path} variant="subtle" onClick={() => setAsking(true)}>
        Retire {version}
      </AllowedButton>
      <FormDialog
        title={`Retire version ${version} of ${secret.team_path}/${secret.name}?`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onSubmit={() => retire.mutate({ params: { id: secret.id, version } })}
        action="Retire"
        isDangerous
        isSending={retire.isPending}
        error={retire.error}
      >
        <Text>
          What is signed with it is refused from then on. It was last used: <Instant at={lastUsed} />.
        </Text>
      </FormDialog>
    </>
  )
}
