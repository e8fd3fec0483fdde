import type { ReactNode } from 'react'
import { RetireVersion } from './retire-version.tsx'
import type { Secret } from './secret.ts'

/** The version in use, and the older one that still works beside it. */
export function SecretVersions({ secret }: { readonly secret: Secret }): ReactNode {
  const [current, ...older] = secret.versions
  return (
    <>
      {current?.version ?? secret.version}
      {older.map(({ version }) => (
        <RetireVersion key={version} secret={secret} version={version} />
      ))}
    </>
  )
}
