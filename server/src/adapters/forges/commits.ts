import type { EventCommit } from '@signalbox/contracts/event'
import { readSha } from './git-names.ts'
import type { JsonObject } from './json-object.ts'
import { moment, text, webUrl } from './payload-fields.ts'
import { readPerson } from './person.ts'

/** The newest commits that an event keeps. Paths are read from all of them. */
const KEPT_COMMITS = 100
const MAX_MESSAGE = 4_096

/** Commits of the form `{id, message, author, timestamp, url}`, given oldest first; one without a whole id is left out. */
export function readCommits(commits: readonly JsonObject[]): EventCommit[] {
  const kept: EventCommit[] = []
  for (const commit of commits.slice(-KEPT_COMMITS)) {
    const sha = readSha(commit['id'])
    if (sha === undefined) continue
    kept.push({
      sha,
      message: text(commit, 'message', MAX_MESSAGE) ?? '',
      author: readPerson(commit, 'author'),
      timestamp: moment(commit, 'timestamp'),
      web_url: webUrl(commit, 'url'),
    })
  }
  return kept
}
