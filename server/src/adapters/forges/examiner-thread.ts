import { parentPort } from 'node:worker_threads'
import { examine } from './examine.ts'
import {
  type Batch,
  type DeliveryToExamine,
  type FromThread,
  type PackedExamined,
  packExamined,
} from './examiner-message.ts'
import { findForge } from './registry.ts'

// The program of the second thread. It keeps nothing from one batch to the next.

parentPort?.on('message', (batch: Batch) => say(examineAll(batch)))
say('ready')

function say(message: FromThread): void {
  parentPort?.postMessage(message, [])
}

function examineAll({ deliveries, bodies, secrets }: Batch): (PackedExamined | null)[] {
  const asked: readonly DeliveryToExamine[] = JSON.parse(deliveries)
  const all = Buffer.from(bodies.buffer, bodies.byteOffset, bodies.length)
  const buffers = secrets.map((secret) => Buffer.from(secret))
  let at = 0
  return asked.map(({ forge: id, bodyBytes, secrets: places, headers, authMode, receivedAt }) => {
    const rawBody = all.subarray(at, at + bodyBytes)
    at += bodyBytes
    const forge = findForge(id)
    if (!forge) return null
    const own = places.map((place) => buffers[place]).filter((secret) => secret !== undefined)
    try {
      const request = { headers, authMode, receivedAt: new Date(receivedAt), rawBody, secrets: own }
      return packExamined(examine(forge, request))
    } catch {
      // The first thread does it again, and there the error is told.
      return null
    }
  })
}
