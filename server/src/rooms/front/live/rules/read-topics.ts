import { MOST_TOPICS } from '@signalbox/contracts/live'
import type { LiveTopic } from '#platform/live'

export interface Topic {
  /** As it is asked for and told: `runs:acme/web`, or `approvals`. */
  readonly text: string
  readonly kind: string
  readonly name: string
}

/** `fault` is a sentence that names the topic. */
export type ReadTopics = { readonly topics: readonly Topic[] } | { readonly fault: string }

type Form = Pick<LiveTopic, 'kind' | 'of'>

const TEAM = /^(?:\/|[a-z0-9][a-z0-9_-]*(?:\/[a-z0-9][a-z0-9_-]*){0,7})$/
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads topics that are separated by commas; each is followed once. */
export function readTopics(text: string, forms: ReadonlyMap<string, Form>): ReadTopics {
  const asked = [...new Set(text.split(',').map((each) => each.trim()))]
  if (asked.length > MOST_TOPICS) {
    return { fault: `One stream follows at most ${MOST_TOPICS} topics, not ${asked.length}: open a second one.` }
  }
  const topics: Topic[] = []
  for (const each of asked) {
    const topic = readTopic(each, forms)
    if (!topic)
      return { fault: `"${each.slice(0, 100)}" is no topic. Topics are ${[...forms.values()].map(formOf).join(', ')}.` }
    topics.push(topic)
  }
  return { topics }
}

export function textOf(kind: string, name: string): string {
  return name === '' ? kind : `${kind}:${name}`
}

function readTopic(text: string, forms: ReadonlyMap<string, Form>): Topic | undefined {
  const colon = text.indexOf(':')
  const kind = colon < 0 ? text : text.slice(0, colon)
  const form = forms.get(kind)
  if (!form) return undefined
  if (form.of === 'nothing') return colon < 0 ? { text, kind, name: '' } : undefined
  const name = colon < 0 ? '' : text.slice(colon + 1)
  return (form.of === 'team' ? TEAM : ID).test(name) ? { text, kind, name } : undefined
}

function formOf({ kind, of }: Form): string {
  switch (of) {
    case 'nothing':
      return kind
    case 'team':
      return `${kind}:<team path>`
    case 'id':
      return `${kind}:<id>`
  }
}
