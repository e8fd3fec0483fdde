import { type ReactNode, useState } from 'react'
import { AllowedButton } from '../../components/index.ts'
import { DeleteSecret } from './delete-secret.tsx'
import type { Secret } from './secret.ts'
import { SecretForm } from './secret-form.tsx'

interface SecretActionsProps {
  readonly secret: Secret
  readonly variant: 'subtle' | 'default'
  /** Where the secret is the page's own: it leads away from there. */
  readonly onDeleted?: (() => void) | undefined
}

/** What one does with a secret. */
export function SecretActions({ secret, variant, onDeleted }: SecretActionsProps): ReactNode {
  const [dialog, setDialog] = useState<'rotate' | 'delete'>()
  const common = { permission: 'secret.write', at: secret.team_path, variant } as const
  return (
    <>
      <AllowedButton {...common} onClick={() => setDialog('rotate')}>
        Rotate
      </AllowedButton>
      <AllowedButton {...common} color="danger" onClick={() => setDialog('delete')}>
        Delete
      </AllowedButton>
      {dialog === 'rotate' && <SecretForm secret={secret} onClose={() => setDialog(undefined)} />}
      {dialog === 'delete' && (
        <DeleteSecret secret={secret} onClose={() => setDialog(undefined)} onDeleted={onDeleted} />
      )}
    </>
  )
}
