import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { Client, credentials, type ServiceError, status } from '@grpc/grpc-js'
import { EnrollRequestSchema, type EnrollResponse, runnerGatewayDefinition } from '@signalbox/contracts/runner'
import { createToken } from '#platform/crypto'
import { createTestDatabase } from '#platform/testing'
import { type ExecutionHouse, FakeRunner, openExecution } from './testing/index.ts'

let house: ExecutionHouse
let client: Client

// Registered before the database's own: hooks run in that order.
after(async () => {
  client.close()
  await house.stop()
})

const { database } = await createTestDatabase()

before(async () => {
  house = await openExecution(database)
  client = new Client(`127.0.0.1:${house.port}`, credentials.createInsecure())
})

/** Enrols with a token that was guessed; a new connection, and with it a new port, each time says nothing. */
const guess = async (): Promise<ServiceError> => {
  const { path, requestSerialize, responseDeserialize } = runnerGatewayDefinition.enroll
  const request = create(EnrollRequestSchema, { token: createToken('runner').token, name: 'box', capacity: 1 })
  const outcome = await new Promise<ServiceError | EnrollResponse | undefined>((settle) => {
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, (error, value) =>
      settle(error ?? value),
    )
  })
  assert.ok(outcome instanceof Error, 'a guess enrols nobody')
  return outcome
}

test('guesses at enrolment tokens end in RESOURCE_EXHAUSTED, with the time to wait; runners still connect', async () => {
  for (let n = 0; n < 10; n++) assert.equal((await guess()).code, status.UNAUTHENTICATED)
  const { code, details, metadata } = await guess()
  assert.equal(code, status.RESOURCE_EXHAUSTED)
  assert.match(details, /try again in \d+ s/)
  assert.ok(Number(metadata.get('retry-after')[0]) > 0)
  const runner = await FakeRunner.enrolled(house)
  await runner.connect(house)
  assert.equal(runner.ended, undefined)
  runner.leave()
  assert.match((await house.kit.metrics.render()).text, /tokens_refused_total\{what="enrollment",limited="true"\} 1/)
})
