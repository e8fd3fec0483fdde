import { useEffect, useState } from 'react'
import { browserStorage } from '../../../client/browser-storage.ts'
import { useMe } from '../../../client/session.ts'
import { type Draft, draftKey, dropDraft, keepDraft, readDraft } from './drafts.ts'

interface KeptWork {
  /** Work of an earlier visit that differs from what is stored; undefined once it was taken up or given up. */
  readonly found: Draft | undefined
  readonly takeUp: () => void
  readonly giveUp: () => void
  /** The work is saved. */
  readonly forget: () => void
}

/** Keeps a text while it differs from the saved one, and offers what an earlier visit left. */
export function useDraft(pipelineId: string, saved: string, work: Omit<Draft, 'at'>): KeptWork {
  const me = useMe()
  const key = me && draftKey(me.id, pipelineId)
  const [found, setFound] = useState<Draft | undefined>(() => {
    const draft = key === undefined ? undefined : readDraft(browserStorage, key)
    return draft?.text === saved ? undefined : draft
  })
  const { text, version, etag } = work
  useEffect(() => {
    // Earlier work stays until the person has chosen.
    if (key === undefined || found) return
    if (text === saved) dropDraft(browserStorage, key)
    else keepDraft(browserStorage, key, { text, version, etag, at: new Date().toISOString() })
  }, [key, found, text, saved, version, etag])
  const choose = (): void => setFound(undefined)
  return {
    found,
    takeUp: choose,
    giveUp: choose,
    forget: () => {
      if (key !== undefined) dropDraft(browserStorage, key)
    },
  }
}
