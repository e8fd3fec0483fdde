import type { ForgeApps } from '../../app-port.ts'
import { EVENTS, FEATURES } from './features.ts'
import { listRepositories } from './installation-repositories.ts'
import { installations } from './installations.ts'
import { readPrivateKey } from './private-key.ts'
import { registration } from './registration.ts'

/** GitHub Apps, of GitHub.com, GitHub Enterprise Cloud and GitHub Enterprise Server. */
export const apps: ForgeApps = {
  registration,
  features: FEATURES,
  events: EVENTS,
  lacks: [],
  findKeyFault(privateKey) {
    const read = readPrivateKey(privateKey)
    return read.ok ? null : read.fault
  },
  ...installations,
  listRepositories,
}
