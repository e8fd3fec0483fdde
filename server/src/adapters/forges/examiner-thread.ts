import { parentPort } from 'node:worker_threads'
import { examine } from './examine.ts'
import type { Batch, FromThread } from './examiner-message.ts'
import { findForge } from './registry.ts'

// The program of the second thread. It keeps nothing from one batch to the next.

parentPort?.on('message', (batch: Batch) => say(examineAll(batch)))
say('ready')

function say(message: FromThread): void {
  parentPort?.postMessage(message, [])
}

function examineAll({ deliveries, bodies, secrets }: Batch): (string | null)[] {
  const all = Buffer.from(bodies.buffer, bodies.byteOffset, bodies.length)
  const buffers = secrets.map((secret) => Buffer.from(secret))
  let at = 0
  return deliveries.map(({ forge: id, bodyBytes, secrets: places, ...request }) => {
    const rawBody = all.subarray(at, at + bodyBytes)
    at += bodyBytes
    const forge = findForge(id)
    if (!forge) return null
    const own = places.map((place) => buffers[place]).filter((secret) => secret !== undefined)
    try {
      // As text: a structured clone of an event costs the thread that takes it half as much again.
      return JSON.stringify(examine(forge, { ...request, rawBody, secrets: own }))
    } catch {
      // The first thread does it again, and there the error is told.
      return null
    }
  })
}
