import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { EnrollRequestSchema, RunnerGateway, RunnerMessageSchema, runnerGatewayDefinition } from './index.ts'

describe('the gateway definition', () => {
  test('names every method of the service with its path and its directions', () => {
    assert.deepEqual(
      Object.entries(runnerGatewayDefinition).map(([name, method]) => [
        name,
        method.path,
        method.requestStream,
        method.responseStream,
      ]),
      [
        ['enroll', '/signalbox.runner.v1.RunnerGateway/Enroll', false, false],
        ['connect', '/signalbox.runner.v1.RunnerGateway/Connect', true, true],
      ],
    )
    assert.deepEqual(
      Object.keys(runnerGatewayDefinition),
      RunnerGateway.methods.map((method) => method.localName),
    )
  })

  test('reads back what it wrote, as a Buffer that gRPC can frame', () => {
    const request = create(EnrollRequestSchema, { token: 't', name: 'one', labels: ['a', 'b'], capacity: 3 })
    const bytes = runnerGatewayDefinition.enroll.requestSerialize(request)
    assert.ok(Buffer.isBuffer(bytes))
    assert.deepEqual(runnerGatewayDefinition.enroll.requestDeserialize(bytes), request)

    const started = create(RunnerMessageSchema, {
      kind: { case: 'started', value: { fence: 2n ** 60n, startedAtMs: 1n } },
    })
    const { requestSerialize, requestDeserialize } = runnerGatewayDefinition.connect
    assert.equal(
      requestDeserialize(requestSerialize(started)).kind.value?.$typeName,
      'signalbox.runner.v1.AttemptStarted',
    )
  })
})
