import { parsePipeline } from '@signalbox/pipeline/document'
import { answerInThread } from '#platform/threads'

// The program of the second thread.

answerInThread((text: string) => parsePipeline(text))
