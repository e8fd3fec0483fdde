import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  type WrittenRepository,
  writeRepository,
} from '../../../server/src/rooms/causes/events/testing/write-repository.ts'
import type { Api } from '../api.ts'
import type { GitHost } from '../git-host.ts'
import { findProvider, type Named, type Provider } from './providers.ts'
import type { Story } from './story.ts'
import { createWords, type Words } from './words.ts'

export interface StagedSource {
  readonly id: string
  readonly providerId: string
  readonly provider: Provider
  readonly authMode: string | undefined
  readonly secret: string
  readonly named: Named
}

/** The needs of a story: a team with everything that the story names, and a repository of its own. */
export interface Stage {
  readonly api: Api
  readonly git: GitHost
  readonly words: Words
  readonly repository: WrittenRepository
  readonly sources: ReadonlyMap<string, StagedSource>
  readonly members: ReadonlyMap<string, Api>
}

export interface Staging {
  readonly api: Api
  readonly git: GitHost
  /** Of the team and of the repository; one for each story. */
  readonly slug: string
  /** Documents; `TEAM/` stands for the story's own team. */
  readonly pipelines: readonly string[]
  readonly words: Readonly<Record<string, string>>
}

interface Made {
  readonly id: string
}

export async function setStage(staging: Staging, story: Story): Promise<Stage> {
  const { api, git, slug, pipelines } = staging
  const words = createWords()
  const known = { ...staging.words, team: slug, scope: `${slug}/test`, git: git.url }
  for (const [name, value] of Object.entries(known)) words.set(name, value)
  const folder = join(git.folder, slug)
  mkdirSync(folder)
  const repository = writeRepository(folder, process.env['PATH'] ?? '/usr/bin:/bin')

  await api.send('POST', '/v1/teams', { path: slug })
  for (const name of story.environments ?? ['test']) await api.send('POST', `/v1/teams/${slug}/environments`, { name })
  const secrets = { ...story.secrets, reader: `${git.username}:${git.password}` }
  for (const [name, value] of Object.entries(secrets)) await makeSecret(api, words, slug, { name, value })
  for (const document of pipelines) {
    await api.send('POST', '/v1/pipelines', { team_path: slug, document: document.replaceAll('TEAM/', `${slug}/`) })
  }
  const stage = { api, git, words, repository }
  const sources = await makeSources(staging, stage, story)
  await makeTriggers(stage, story)
  const members = new Map<string, Api>()
  for (const [name, role] of Object.entries(story.members ?? {}))
    members.set(name, await makeMember(stage, slug, name, role))
  return { ...stage, sources, members }
}

type BareStage = Omit<Stage, 'sources' | 'members'>

async function makeSecret(
  api: Api,
  words: Words,
  team: string,
  { name, value }: { readonly name: string; readonly value: string },
): Promise<void> {
  const made = await api.send<Made>('POST', '/v1/secrets', { team_path: team, name, value })
  words.set(`secret.${name}`, made.id)
}

async function makeSources(
  { git, slug }: Staging,
  stage: BareStage,
  story: Story,
): Promise<ReadonlyMap<string, StagedSource>> {
  const { words } = stage
  const documents: Story['sources'] = JSON.parse(words.fill(story.sources))
  const sources = new Map<string, StagedSource>()
  for (const [name, document] of Object.entries(documents)) {
    const provider = findProvider(document.provider)
    const fullName = provider.fullName(slug)
    const path = provider.clonePath(fullName)
    publish(stage.repository, join(git.folder, path))
    const secret = provider.makeSecret()
    await makeSecret(stage.api, words, slug, { name, value: secret })
    const made = await stage.api.send<Made>('POST', '/v1/git-webhook-sources', {
      name: `${slug}-${name}`,
      team_path: slug,
      credential_ref: `secret:${slug}/${name}`,
      repository_allowlist: [fullName],
      base_url: git.url,
      checkout_credential_ref: `secret:${slug}/reader`,
      ...document,
    })
    const named = { fullName, cloneUrl: `${git.url}${path}` }
    if (sources.size === 0) {
      words.set('repository', named.fullName)
      words.set('clone_url', named.cloneUrl)
    }
    words.set(`source.${name}`, made.id)
    const { provider: providerId, auth_mode: authMode } = document
    sources.set(name, { id: made.id, providerId, provider, authMode, secret, named })
  }
  return sources
}

/** Where the provider says that the repository is. */
function publish({ path }: WrittenRepository, place: string): void {
  mkdirSync(dirname(place), { recursive: true })
  if (!existsSync(place)) symlinkSync(path, place)
}

async function makeTriggers({ api, words }: BareStage, story: Story): Promise<void> {
  const documents: NonNullable<Story['triggers']> = JSON.parse(words.fill(story.triggers ?? {}))
  for (const [name, document] of Object.entries(documents)) {
    const made = await api.send<Made>('POST', '/v1/triggers', {
      name,
      team_path: words.get('team'),
      repositories: [words.get('repository')],
      events: ['push'],
      pipeline: `${words.get('team')}/build`,
      scope: words.get('scope'),
      ...document,
    })
    words.set(`trigger.${name}`, made.id)
  }
}

async function makeMember({ api, words }: BareStage, team: string, name: string, role: string): Promise<Api> {
  const user = await api.send<Made>('POST', '/v1/users', { login: `${team}-${name}` })
  const grant = await api.send<Made>('POST', '/v1/grants', { subject: `user:${user.id}`, role, team_path: team })
  words.set(`user.${name}`, user.id)
  words.set(`grant.${name}`, grant.id)
  const token = await api.send<{ token: string }>('POST', '/v1/tokens', { name, user_id: user.id })
  return api.as(token.token)
}
