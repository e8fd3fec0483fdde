import { answerInThread } from '#platform/threads'
import { readManifest } from '../rules/index.ts'

// The program of the second thread.

answerInThread(readManifest)
