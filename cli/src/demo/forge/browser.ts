import { CommandFailed } from '../../errors.ts'

/** The form of a page, as a browser reads it. */
export interface FoundForm {
  readonly action: string
  readonly manifest: unknown
}

/** Opens the page of a registration and reads where its form leads, and what it carries there. */
export async function readForm(address: string): Promise<FoundForm> {
  const response = await fetch(address, { signal: AbortSignal.timeout(30_000) })
  const html = await response.text()
  const action = /<form [^>]*action="([^"]+)"/.exec(html)?.[1]
  const manifest = /name="manifest" value="([^"]+)"/.exec(html)?.[1]
  if (!response.ok || action === undefined || manifest === undefined) {
    throw new CommandFailed('unexpected', `${address} answered ${response.status}, and shows no form.`)
  }
  return { action: readEntities(action), manifest: JSON.parse(readEntities(manifest)) }
}

const CHARACTERS: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

function readEntities(text: string): string {
  return text.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => CHARACTERS[entity] ?? entity)
}

/** Throws where the way back from the provider ended with an error. */
export function requireOutcome(ledTo: string | null): string {
  if (ledTo?.includes('?outcome=')) return ledTo
  throw new CommandFailed('unexpected', `The way back from the forge led to ${ledTo ?? 'no page'}.`)
}
