import { secretRoutes } from '@signalbox/contracts/secrets/routes'
import { sourceRoutes } from '@signalbox/contracts/sources/routes'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { itemsOf, readAll } from '../../client/index.ts'
import { AllowedButton } from '../../components/index.ts'
import { SecretForm } from '../secrets/index.ts'
import type { Source } from './source.ts'

/** A new version of the secret that proves what the source gets; both count until the older one is retired. */
export function RotateSecret({ source }: { readonly source: Source }): ReactNode {
  const [isRotating, setRotating] = useState(false)
  const secrets = useQuery({
    ...readAll(secretRoutes.listSecrets, { query: { team_path: source.team_path, limit: 500 } }),
    retry: false,
  })
  const secret = itemsOf(secrets.data).find(
    ({ team_path, name }) => `secret:${team_path}/${name}` === source.credential_ref,
  )
  return (
    <>
      <AllowedButton
        permission="secret.write"
        at={source.team_path}
        variant="default"
        obstacle={secret ? undefined : `${source.credential_ref} is kept elsewhere: change it there.`}
        onClick={() => setRotating(true)}
      >
        Rotate the secret
      </AllowedButton>
      {isRotating && secret && (
        <SecretForm
          secret={secret}
          changes={[sourceRoutes.getSourceHealth, sourceRoutes.getSource]}
          onClose={() => setRotating(false)}
        />
      )}
    </>
  )
}
