import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Artifact as WireArtifact } from '@signalbox/contracts/artifacts'
import type { Command } from 'commander'
import { segment } from '../client/client.ts'
import { download } from '../client/download.ts'
import { anything, list, number, object, partOf, text } from '../client/shape.ts'
import { unpackArchive } from '../client/unpack-archive.ts'
import { ago, until } from '../output/durations.ts'
import { refuseOtherThanFile } from '../output/new-file.ts'
import { inMb } from '../output/sizes.ts'
import {
  type ApiOptions,
  apiCommand,
  type Context,
  clientOf,
  group,
  printJson,
  printNote,
  printTable,
} from './context.ts'
import { readMegabytes } from './parse-arguments.ts'
import { deleteOf, type Resource, showOf } from './resource.ts'

const LIMIT_MB = 10_240

export function artifactCommand(context: Context): Command {
  return group('artifact', 'artifacts: files that the tasks of a run left', [
    listCommand(context),
    showOf(context, artifacts, 'one artifact', (found, now) => [
      ['artifact', found.id],
      ['name', found.name],
      ['run', found.run_id],
      ['task', `${found.step}/${found.task}`],
      ['files', String(found.files)],
      ['size', inMb(found.size)],
      ['sha256', found.sha256],
      ['made', ago(found.created_at, now)],
      ['expires', until(found.expires_at, now)],
    ]),
    downloadCommand(context),
    deleteOf(context, artifacts, 'delete an artifact before it expires'),
  ])
}

const artifact = partOf<WireArtifact>()(
  object({
    id: text,
    run_id: text,
    step: text,
    task: text,
    name: text,
    files: number,
    size: number,
    sha256: text,
    created_at: text,
    expires_at: text,
  }),
)

const artifacts: Resource<ReturnType<typeof artifact>> = {
  noun: 'artifact',
  path: '/v1/artifacts',
  item: artifact,
  named: 'id of the artifact',
  nameOf: ({ id }) => id,
  addressedByName: true,
}

function listCommand(context: Context): Command {
  return apiCommand('list', 'what the tasks of a run left')
    .argument('<run>', 'id of the run')
    .action(async (id: string, options: ApiOptions) => {
      const answer = await clientOf(context, options).get(`/v1/runs/${segment(id)}/artifacts`, anything)
      if (options.json) return printJson(context, answer)
      const now = Date.now()
      const rows = list(artifact)(answer, 'artifacts').map((each) => [
        each.id,
        `${each.step}/${each.task}`,
        each.name,
        String(each.files),
        inMb(each.size),
        ago(each.created_at, now),
        until(each.expires_at, now),
      ])
      return printTable(context, ['artifact', 'task', 'name', 'files', 'size', 'made', 'expires'], rows)
    })
}

interface DownloadOptions extends ApiOptions {
  readonly output?: string
  readonly directory?: string
  readonly limitMb: number
}

function downloadCommand(context: Context): Command {
  return apiCommand('download', 'the files of an artifact, unpacked into a folder; or its archive, with -o')
    .argument('<artifact>', 'id of the artifact')
    .option('-C, --directory <folder>', 'where to unpack; default: the working directory')
    .option('-o, --output <file>', 'keep the archive (tar, compressed with zstd) instead; goes on where it broke off')
    .option('--limit-mb <n>', 'the most that its files may have, unpacked', readMegabytes, LIMIT_MB)
    .action(async (id: string, options: DownloadOptions) => {
      const client = clientOf(context, options)
      const found = artifact(await client.get(`/v1/artifacts/${segment(id)}`, anything), 'artifact')
      const path = `/v1/artifacts/${segment(id)}/download`
      const at = (name: string): string => resolve(context.surroundings.cwd, name)
      if (options.output !== undefined) {
        refuseOtherThanFile(at(options.output))
        await download(client, path, at(options.output), found)
        return printNote(context, `${options.output}: ${inMb(found.size)}.`)
      }
      const folder = at(options.directory ?? '.')
      const beside = await mkdtemp(join(tmpdir(), 'signalbox-download-'))
      try {
        const archive = join(beside, 'archive')
        await download(client, path, archive, found)
        await unpackArchive(archive, folder, options.limitMb)
      } finally {
        await rm(beside, { recursive: true, force: true })
      }
      return printNote(context, `${found.files} files of ${found.name} are in ${folder}.`)
    })
}
