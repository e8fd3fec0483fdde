import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ExternalTriggerDocument } from '@signalbox/contracts/external-triggers'
import { EmergencyInput, KnowledgeInput } from '@signalbox/contracts/knowledge'
import { ProfileInput } from '@signalbox/contracts/profiles'
import { ScheduleDocument } from '@signalbox/contracts/schedules'
import { WebhookSourceDocument } from '@signalbox/contracts/sources'
import { expect, test } from 'vitest'
import * as externalTriggers from './rooms/external-triggers/external-trigger.ts'
import * as knowledge from './rooms/knowledge/item.ts'
import * as profiles from './rooms/profiles/profile.ts'
import * as schedules from './rooms/schedules/schedule.ts'

interface Form {
  readonly contract: { readonly properties: Readonly<Record<string, object>> }
  /** The fields of the contract that a person sets in the form. */
  readonly shown: readonly string[]
  /** The others, each with the reason why the form has none for it. */
  readonly elsewhere: Readonly<Record<string, string>>
}

const API_ONLY = 'rarely set: by the API and the command line, and kept by the form'
const SWITCHED = 'switched by the buttons Enable and Disable of its page'

const FORMS: Readonly<Record<string, Form>> = {
  source: {
    contract: WebhookSourceDocument,
    shown: markedIn('sources'),
    elsewhere: {
      enabled: SWITCHED,
      auth_mode: 'the way of the provider by default; its page says what to paste for it',
      checkout_credential_ref:
        'follows from the app, where it stands for the secret: else by the API and the command line',
      read_repository: 'needs checkout_credential_ref: set with it',
      report_status: 'needs checkout_credential_ref: set with it',
      rate_limit: API_ONLY,
      acknowledge_unmapped: API_ONLY,
    },
  },
  schedule: {
    contract: ScheduleDocument,
    shown: fieldsOf({ ...schedules.emptyDraft('acme') }, schedules.documentOf),
    elsewhere: {
      enabled: SWITCHED,
      calendar: 'a file of ICS: by the API and the command line, and kept by the form',
      not_before: API_ONLY,
      not_after: API_ONLY,
      run_team_path: API_ONLY,
      misfire_grace_seconds: API_ONLY,
      misfire_window_seconds: API_ONLY,
    },
  },
  'knowledge item': {
    contract: KnowledgeInput,
    shown: [
      'team_path',
      'kind',
      'name',
      ...fieldsOf({ scope: '', rule: '', message: '', text: '', timeZone: '' }, (draft) => knowledge.contentOf(draft)),
    ],
    elsewhere: { at: 'the place of a rule follows from the names in it; kept by the form' },
  },
  emergency: { contract: EmergencyInput, shown: ['scope', 'reason'], elsewhere: {} },
  profile: {
    contract: ProfileInput,
    shown: ['team_path', 'name', ...fieldsOf(profiles.EMPTY_DRAFT, profiles.contentOf)],
    elsewhere: {},
  },
  'external trigger': {
    contract: ExternalTriggerDocument,
    shown: fieldsOf(externalTriggers.emptyDraft('acme'), externalTriggers.documentOf),
    elsewhere: {},
  },
}

test.each(Object.entries(FORMS))('each field of a %s is in its form, or left out for a reason', (_, form) => {
  const { contract, shown, elsewhere } = form
  expect([...shown, ...Object.keys(elsewhere)].toSorted()).toEqual(writableOf(contract).toSorted())
})

/** What is read-only is accepted as anything: its schema says nothing but what it is for. */
function writableOf({ properties }: Form['contract']): readonly string[] {
  return Object.entries(properties).flatMap(([name, schema]) =>
    Object.keys(schema).some((word) => word !== 'description') ? [name] : [],
  )
}

/** The fields of a document that some part of its draft changes. */
function fieldsOf<Draft extends object>(draft: Draft, documentOf: (draft: Draft) => object): readonly string[] {
  const before = valuesOf(documentOf(draft))
  const changed = Object.entries(draft).flatMap(([part, value]) =>
    [...valuesOf(documentOf({ ...draft, [part]: another(value) }))].flatMap(([name, text]) =>
      before.get(name) === text ? [] : [name],
    ),
  )
  return [...new Set(changed)]
}

function valuesOf(document: object): ReadonlyMap<string, string> {
  return new Map(Object.entries(document).map(([name, value]) => [name, JSON.stringify(value)]))
}

function another(value: unknown): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  return Array.isArray(value) ? ['another'] : 'ANOTHER=value'
}

/** The fields that the forms of a room mark when the server refuses them. */
function markedIn(room: string): readonly string[] {
  const texts = globSync('*.tsx', { cwd: join(import.meta.dirname, 'rooms', room) }).map((file) =>
    readFileSync(join(import.meta.dirname, 'rooms', room, file), 'utf8'),
  )
  const marked = texts.flatMap((text) =>
    [...text.matchAll(/fieldError\(\w*[eE]rror, '(\w+)'\)/g)].map(([, name]) => name ?? ''),
  )
  return [...new Set(marked)].filter((name) => Object.hasOwn(WebhookSourceDocument.properties, name))
}
