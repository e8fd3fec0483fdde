import { azureDevops } from './azure-devops/index.ts'
import { bitbucket } from './bitbucket/index.ts'
import { bitbucketDatacenter } from './bitbucket-datacenter/index.ts'
import { forgejo } from './forgejo/index.ts'
import { generic } from './generic/index.ts'
import { gitea } from './gitea/index.ts'
import { github } from './github/index.ts'
import { gitlab } from './gitlab/index.ts'
import { gogs } from './gogs/index.ts'
import type { Forge } from './port.ts'

/** Every provider that this server can receive deliveries from; one folder beside this file each. */
export const FORGES: readonly Forge[] = [
  github,
  gitlab,
  bitbucket,
  bitbucketDatacenter,
  azureDevops,
  gitea,
  forgejo,
  gogs,
  generic,
]

/** The forge of a source's `provider`, or undefined for an unknown one. */
export function findForge(id: string): Forge | undefined {
  return FORGES.find((forge) => forge.id === id)
}
