import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { InjectOptions } from 'fastify'
import type { Database, Queryable } from '#platform/database'
import type { HttpServer } from '#platform/http'
import type { Kit } from '#platform/room'
import { createTestDatabase, createTestKit } from '#platform/testing'
import type { Clock } from '#platform/time'
import { type House, openHouse } from '../house.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  /** Of a JSON object; empty for anything else. */
  readonly body: Record<string, unknown>
}

/** All rooms, over HTTP without a port; no loop and no job runs. */
export interface TestHouse {
  readonly kit: Kit
  readonly database: Database
  readonly databaseUrl: string
  readonly db: Queryable
  readonly http: HttpServer
  readonly describeTools: House['describeTools']
  ask(token: string | undefined, method: Method, url: string, payload?: InjectOptions['payload']): Promise<Answer>
  /** Throws for an answer that is no success; its id, where it has one. */
  make(token: string | undefined, method: Method, url: string, payload?: object): Promise<string>
}

export interface TestHouseOptions {
  readonly clock?: Clock
  /** Options by their environment names. */
  readonly env?: Readonly<Record<string, string>>
}

/** Opens the house on a database of the calling test file, and closes it after the file's tests. */
export async function openTestHouse(options: TestHouseOptions = {}): Promise<TestHouse> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-house-'))
  const opened: HttpServer[] = []
  // Registered before the database's own: hooks run in that order.
  after(async () => {
    for (const server of opened) await server.close(100)
    await rm(folder, { recursive: true })
  })
  const { database, url: databaseUrl } = await createTestDatabase()
  const kit = createTestKit(database, { ...options, env: { DATA_DIR: folder, ...options.env } })
  const factsHouse = { facts: kit.facts, connect: kit.connect }
  const ground = { kit, factsHouse, databaseUrl, probes: [], close: async () => undefined }
  const house = await openHouse(ground, { api: undefined, runners: undefined })
  const { http } = house
  opened.push(http)
  const ask: TestHouse['ask'] = async (token, method, url, payload) => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await http.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
    const isObject = answer.body.startsWith('{') && String(answer.headers['content-type']).includes('json')
    const body = isObject ? answer.json() : {}
    return { status: answer.statusCode, headers: answer.headers, text: answer.body, body }
  }
  return {
    kit,
    database,
    databaseUrl,
    db: database.kysely,
    http,
    describeTools: () => house.describeTools(),
    ask,
    async make(token, method, url, payload) {
      const answer = await ask(token, method, url, payload)
      assert.ok(answer.status < 300, `${method} ${url}: ${answer.status} ${answer.text}`)
      return String(answer.body['id'] ?? answer.body['run_id'] ?? '')
    },
  }
}
