import type { Storage } from '@signalbox/contracts/artifacts'
import { artifactRoutes } from '@signalbox/contracts/artifacts/routes'
import type { Command } from 'commander'
import { CommandFailed } from '../errors.ts'
import { inMb } from '../output/sizes.ts'
import { type ApiOptions, apiCommand, type Context, group } from './context.ts'
import { readQuota } from './parse-arguments.ts'

export function storageCommand(context: Context): Command {
  return group('storage', 'storage of artifacts and caches of a team, and its quotas', [
    showCommand(context),
    setCommand(context),
  ])
}

function showCommand(context: Context): Command {
  return apiCommand('show', 'show how much a team stores, and its quotas')
    .argument('<team>', 'path such as acme/web')
    .action(async (team: string, options: ApiOptions) => {
      const query = { team_path: team }
      return print(context, options, await context.connect(options).call(artifactRoutes.getStorage, { query }))
    })
}

interface SetOptions extends ApiOptions {
  readonly artifactsMb?: number | null
  readonly cachesMb?: number | null
}

function setCommand(context: Context): Command {
  return apiCommand('set', 'set the quotas of a team; above a new quota the oldest files are deleted')
    .argument('<team>', 'path such as acme/web')
    .option('--artifacts-mb <n>', 'quota for artifacts; the word default removes the quota of the team', readQuota)
    .option('--caches-mb <n>', 'quota for caches; the word default removes the quota of the team', readQuota)
    .action(async (team: string, { artifactsMb, cachesMb, ...options }: SetOptions) => {
      if (artifactsMb === undefined && cachesMb === undefined) {
        throw new CommandFailed('usage', 'No quota is given: --artifacts-mb or --caches-mb.')
      }
      const body = { team_path: team, artifact_quota_bytes: inBytes(artifactsMb), cache_quota_bytes: inBytes(cachesMb) }
      return print(context, options, await context.connect(options).call(artifactRoutes.setStorage, { body }))
    })
}

function inBytes(megabytes: number | null | undefined): number | null | undefined {
  return typeof megabytes === 'number' ? megabytes * 1_048_576 : megabytes
}

function print(context: Context, { json }: ApiOptions, found: Storage): void {
  if (json) return context.printJson(found)
  return context.printTable(
    ['', 'kept', 'quota'],
    [
      ['artifacts', inMb(found.artifact_bytes), inMb(found.artifact_quota_bytes)],
      ['caches', inMb(found.cache_bytes), inMb(found.cache_quota_bytes)],
    ],
  )
}
