import { parentPort } from 'node:worker_threads'
import { examine } from './examine.ts'
import type { DeliveryToExamine, FromThread } from './examiner-message.ts'
import { findForge } from './registry.ts'

// The program of the second thread. It keeps nothing from one delivery to the next.

parentPort?.on('message', (delivery: DeliveryToExamine) => parentPort?.postMessage(examineThere(delivery), []))

function examineThere({ forge: id, rawBody, secrets, headers, authMode, receivedAt }: DeliveryToExamine): FromThread {
  const forge = findForge(id)
  if (!forge) return null
  try {
    return examine(forge, { headers, authMode, receivedAt, rawBody: view(rawBody), secrets: secrets.map(view) })
  } catch {
    return null
  }
}

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
