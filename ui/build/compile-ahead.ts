import type { Plugin } from 'vite'

/** Source: V8's explicit compile hints (Chromium 136 and later). Other browsers read a comment. */
const HINT = '//# allFunctionsCalledOnLoad\n'

/**
 * Has a browser compile the scripts that every page needs, and those of the pages, while they come, in a second thread.
 * Without it the functions of a page, some 1,600, are read twice: once for their ends, and in the main thread when each is
 * called. Large parts that few pages need, such as the editor, are left alone.
 */
export function compiledAhead(): Plugin {
  return {
    name: 'compiled-ahead',
    apply: 'build',
    // A file that is kept for ever has another name once it has another hint.
    augmentChunkHash: (chunk) => (isOfEachPage(chunk) ? HINT : ''),
    generateBundle: {
      // The hint counts in the first line alone, and other plugins put code before it.
      order: 'post',
      handler(_, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type === 'chunk' && isOfEachPage(chunk)) chunk.code = `${HINT}${chunk.code}`
        }
      },
    },
  }
}

function isOfEachPage({ isEntry, name }: { readonly isEntry: boolean; readonly name: string }): boolean {
  return isEntry || name === 'frame' || name.endsWith('-page')
}
