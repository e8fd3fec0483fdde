import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { ArtifactFile, ArtifactFiles } from '@signalbox/contracts/artifacts'
import { artifactRoutes } from '@signalbox/contracts/artifacts/routes'
import type { Command } from 'commander'
import { download } from '../client/download.ts'
import { unpackArchive } from '../client/unpack-archive.ts'
import { ago, until } from '../output/durations.ts'
import { refuseOtherThanFile } from '../output/new-file.ts'
import { inMb } from '../output/sizes.ts'
import { type ApiOptions, apiCommand, type Context, group } from './context.ts'
import { printItems } from './listing.ts'
import { readMegabytes } from './parse-arguments.ts'
import { deleteOf, showOf } from './resource.ts'

const LIMIT_MB = 10_240

const { listRunArtifacts, getArtifact, listArtifactFiles, downloadArtifact, deleteArtifact } = artifactRoutes

const artifacts = { noun: 'artifact', named: 'id of the artifact', get: getArtifact, delete: deleteArtifact }

export function artifactCommand(context: Context): Command {
  return group('artifact', 'artifacts: files that tasks of a run stored', [
    listCommand(context),
    showOf(context, artifacts, 'show an artifact', (found, now) => [
      ['artifact', found.id],
      ['name', found.name],
      ['run', found.run_id],
      ['task', `${found.step}/${found.task}`],
      ['files', String(found.files)],
      ['size', inMb(found.size)],
      ['sha256', found.sha256],
      ['created', ago(found.created_at, now)],
      ['expires', until(found.expires_at, now)],
    ]),
    filesCommand(context),
    downloadCommand(context),
    deleteOf(context, artifacts, 'delete an artifact before it expires'),
  ])
}

function listCommand(context: Context): Command {
  return apiCommand('list', 'list the artifacts of a run')
    .argument('<run>', 'id of the run')
    .action(async (id: string, options: ApiOptions) => {
      const found = await context.connect(options).call(listRunArtifacts, { params: { id } })
      if (options.json) return context.printJson(found)
      return printItems(context, found, [
        ['artifact', (each) => each.id],
        ['task', ({ step, task }) => `${step}/${task}`],
        ['name', ({ name }) => name],
        ['files', ({ files }) => String(files)],
        ['size', ({ size }) => inMb(size)],
        ['created', ({ created_at }, now) => ago(created_at, now)],
        ['expires', ({ expires_at }, now) => until(expires_at, now)],
      ])
    })
}

function filesCommand(context: Context): Command {
  return apiCommand('files', 'list the files of an artifact without downloading it')
    .argument('<artifact>', 'id of the artifact')
    .action(async (id: string, options: ApiOptions) => {
      const client = context.connect(options)
      const files: ArtifactFile[] = []
      let after: number | null = 0
      let unread: string | null = null
      while (after !== null) {
        const page: ArtifactFiles = await client.call(listArtifactFiles, {
          params: { id },
          query: { after, limit: 1000 },
        })
        files.push(...page.files)
        after = page.next
        unread = page.unread
      }
      if (options.json) return context.printJson({ files, unread })
      printItems(context, files, [
        ['path', ({ path }) => path],
        ['kind', ({ kind, target }) => (target === null ? kind : `${kind} to ${target}`)],
        ['size', ({ size }) => inMb(size)],
        ['mode', ({ mode }) => mode],
      ])
      if (unread !== null) context.printNote(unread)
    })
}

interface DownloadOptions extends ApiOptions {
  readonly output?: string
  readonly directory?: string
  readonly limitMb: number
}

function downloadCommand(context: Context): Command {
  return apiCommand('download', 'download an artifact and unpack it into a folder; with -o, keep the archive')
    .argument('<artifact>', 'id of the artifact')
    .option('-C, --directory <folder>', 'folder to unpack into (default: the working directory)')
    .option(
      '-o, --output <file>',
      'write the archive (tar, compressed with zstd) to this file; continues an interrupted download',
    )
    .option('--limit-mb <n>', 'the largest unpacked size of all files', readMegabytes, LIMIT_MB)
    .action(async (id: string, options: DownloadOptions) => {
      const client = context.connect(options)
      const found = await client.call(getArtifact, { params: { id } })
      const read = (from: number) => client.bytes(downloadArtifact, { params: { id }, from })
      const at = (name: string): string => resolve(context.surroundings.cwd, name)
      if (options.output !== undefined) {
        refuseOtherThanFile(at(options.output))
        await download(read, at(options.output), found)
        return context.printNote(`${options.output}: ${inMb(found.size)}.`)
      }
      const folder = at(options.directory ?? '.')
      const beside = await mkdtemp(join(tmpdir(), 'signalbox-download-'))
      try {
        const archive = join(beside, 'archive')
        await download(read, archive, found)
        await unpackArchive(archive, folder, options.limitMb)
      } finally {
        await rm(beside, { recursive: true, force: true })
      }
      return context.printNote(`${found.files} files of ${found.name} are in ${folder}.`)
    })
}
