import { Text } from '@mantine/core'
import { secretRoutes } from '@signalbox/contracts/secrets/routes'
import type { ReactNode } from 'react'
import { useWrite } from '../../client/index.ts'
import { FormDialog } from '../../components/index.ts'
import type { Secret } from './secret.ts'

interface DeleteSecretProps {
  readonly secret: Secret
  readonly onClose: () => void
  readonly onDeleted?: (() => void) | undefined
}

/** Asks before a secret goes with all of its versions. */
export function DeleteSecret({ secret, onClose, onDeleted = onClose }: DeleteSecretProps): ReactNode {
  const remove = useWrite(secretRoutes.deleteSecret, { changes: [secretRoutes.listSecrets], onDone: onDeleted })
  return (
    <FormDialog
      title={`Delete ${secret.team_path}/${secret.name}?`}
      isOpen
      onClose={onClose}
      onSubmit={() => remove.mutate({ params: { id: secret.id } })}
      action="Delete"
      isDangerous
      isSending={remove.isPending}
      error={remove.error}
    >
      <Text>
        Every version goes. Runs whose pipeline names it fail from then on; the page of the secret lists those
        pipelines.
      </Text>
    </FormDialog>
  )
}
