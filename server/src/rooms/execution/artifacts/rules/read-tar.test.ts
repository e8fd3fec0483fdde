import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Header, type HeaderData, Pax } from 'tar'
import { BrokenArchive, readTar, type TarEntry } from './read-tar.ts'

type Made = HeaderData & { readonly text?: string; readonly pax?: boolean }

function tarOf(...entries: Made[]): Buffer {
  const blocks = entries.flatMap(({ text = '', pax = false, ...fields }) => {
    const content = Buffer.from(text)
    const header = new Header({ type: 'File', mode: 0o644, size: content.length, ...fields })
    const needsPax = header.encode() || pax
    const before = needsPax ? [new Pax({ path: fields.path ?? '', linkpath: fields.linkpath ?? '' }).encode()] : []
    return [...before, header.block ?? Buffer.alloc(0), content, Buffer.alloc(-content.length & 511)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

type Seen = Pick<TarEntry, 'path' | 'kind' | 'size' | 'target'> & { readonly text: string }

async function readAll(bytes: Buffer, size = 1000, skips = false): Promise<Seen[]> {
  const seen: Seen[] = []
  for await (const entry of readTar(inChunks(bytes, size))) {
    const pieces: Buffer[] = []
    if (!skips) for await (const piece of entry.content()) pieces.push(piece)
    const { path, kind, target } = entry
    seen.push({ path, kind, size: entry.size, target, text: Buffer.concat(pieces).toString() })
  }
  return seen
}

const deep = `${'a/'.repeat(6000)}b`

describe('a tar', () => {
  test('is read entry by entry, however it is cut into chunks, read or passed over', async () => {
    const bytes = tarOf(
      { path: './dist/app.js', text: 'x'.repeat(5000) },
      { path: './empty' },
      { path: './link', type: 'SymbolicLink', linkpath: '../../etc/passwd' },
      { path: './folder/', type: 'Directory' },
      { path: deep, text: 'deep' },
      { path: './pipe', type: 'FIFO' },
      { path: '../../etc/shadow', text: 'a name and no more' },
    )
    const expected = [
      ['dist/app.js', 'file', 5000, null],
      ['empty', 'file', 0, null],
      ['link', 'link', 0, '../../etc/passwd'],
      ['folder/', 'folder', 0, null],
      [deep, 'file', 4, null],
      ['pipe', 'other', 0, null],
      ['../../etc/shadow', 'file', 18, null],
    ]
    for (const size of [1, 511, 512, 513, 100_000]) {
      const read = await readAll(bytes, size)
      assert.deepEqual(
        read.map((each) => [each.path, each.kind, each.size, each.target]),
        expected,
      )
      assert.equal(read[4]?.text, 'deep')
      assert.equal(read[0]?.text, 'x'.repeat(5000))
      assert.deepEqual(
        (await readAll(bytes, size, true)).map(({ path }) => path),
        read.map(({ path }) => path),
      )
    }
  })

  test('keeps names as they are: digits, line breaks, other alphabets', async () => {
    for (const path of [`${'7'.repeat(120)}`, 'a\nb=c\n', 'größe/日本', '-rf', ' ', 'a\u202eb', '__proto__']) {
      const [entry] = await readAll(tarOf({ path, pax: true, text: 'x' }))
      assert.equal(entry?.path, path)
    }
  })

  test('that is cut off, has a wrong sum or impossible headers is refused', async () => {
    const whole = tarOf({ path: 'a', text: 'x'.repeat(2000) })
    const broken = Buffer.from(whole)
    broken[0] = 66
    const pax = (content: string): Buffer => {
      const header = new Header({ path: 'PaxHeader', type: 'ExtendedHeader', size: content.length, mode: 0o644 })
      header.encode()
      const body = Buffer.alloc(content.length + (-content.length & 511))
      body.write(content)
      return Buffer.concat([header.block ?? Buffer.alloc(0), body, whole])
    }
    for (const [name, bytes] of Object.entries({
      'cut in a header': whole.subarray(0, 300),
      'cut in a file': whole.subarray(0, 1000),
      'a wrong sum': broken,
      text: Buffer.from('this is no tar'.repeat(100)),
      'a size below zero': pax('12 size=-10\n'),
      'a size beyond all': pax('26 size=99999999999999999\n'),
      'a record without a length': pax('size=10\n'),
      'a record without an end': pax('0 path=x\n'),
      'a path of 100,000 bytes': pax(`100012 path=${'x'.repeat(100_000)}\n`),
    })) {
      await assert.rejects(readAll(bytes), BrokenArchive, name)
    }
    assert.deepEqual(await readAll(Buffer.alloc(0)), [])
    assert.deepEqual(await readAll(Buffer.alloc(4096)), [])
  })

  test('whatever the bytes are, an answer or BrokenArchive comes of them', async () => {
    const whole = tarOf({ path: deep, text: 'deep' }, { path: 'b', text: 'x'.repeat(700) })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 5 }), async (changes) => {
        const bytes = Buffer.from(whole)
        for (const [at, value] of changes) bytes[at] = value
        await readAll(bytes, 700).catch((error: unknown) => assert.ok(error instanceof BrokenArchive, String(error)))
      }),
    )
  })
})
