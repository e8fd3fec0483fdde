import { connectToStart } from './connect.ts'

/** The id of the folder that keeps the objects of this database; undefined while none does. */
export async function readObjectPlace(url: string): Promise<string | undefined> {
  const client = await connectToStart(url, 'signalbox objects')
  try {
    const { rows } = await client.query<{ id: string }>('select id from object_places')
    return rows[0]?.id
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Records a folder where none is recorded, and answers the recorded one: of two concurrent calls, the first wins. */
export async function recordObjectPlace(url: string, id: string): Promise<string> {
  const client = await connectToStart(url, 'signalbox objects')
  try {
    await client.query('insert into object_places (id) values ($1) on conflict (one) do nothing', [id])
    const { rows } = await client.query<{ id: string }>('select id from object_places')
    return rows[0]?.id ?? id
  } finally {
    await client.end().catch(() => undefined)
  }
}
