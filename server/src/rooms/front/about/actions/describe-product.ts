import type { About, SystemAbout } from '@signalbox/contracts/about'
import { addressOfApi } from '#platform/config'
import { describePlace } from '#platform/database'
import type { Caller } from '#platform/http'
import type { Means } from '../means.ts'
import { LICENSES } from '../rules.ts'
import { readServerVersion } from '../store.ts'

/**
 * Everybody who is signed in learns the version, which the page compares with its own. What the process stands on (addresses,
 * versions of other software) helps an attacker, so it is for those who may read the state of the platform.
 */
export async function describeProduct(means: Means, caller: Caller): Promise<About> {
  const mayReadSystem = caller.can('system.read', '/')
  return {
    version: means.version,
    page_version: (await means.findPageVersion()) ?? null,
    licenses: [...LICENSES],
    system: mayReadSystem ? await describeSystem(means) : null,
  }
}

async function describeSystem({ config, clock, database }: Means): Promise<SystemAbout> {
  const now = clock.now()
  const { databaseUrl, dataDir } = config
  return {
    installation: config.servicePlatformId,
    base_url: addressOfApi(config),
    started_at: new Date(now.getTime() - Math.round(process.uptime() * 1000)).toISOString(),
    roles: [...config.roles],
    node_version: process.version,
    platform: `${process.platform} ${process.arch}`,
    database: {
      version: await readServerVersion(database.kysely),
      embedded: databaseUrl === undefined,
      place: databaseUrl === undefined ? dataDir : describePlace(databaseUrl),
    },
    features: {
      tls: config.tlsCertificateFile !== undefined,
      runner_tls: config.runnerTlsCert !== undefined,
      object_store: config.objectStore === 'folder' ? 'folder' : 'bucket',
      metrics_require_auth: config.metricsRequireAuth,
    },
    now: now.toISOString(),
  }
}
