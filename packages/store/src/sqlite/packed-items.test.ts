import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { packedText, unpackedText } from '../rows/packed-text.js';
import { deflated, inflated } from './deflated.js';
import { orderKey, orderOfDigits } from './order-key.js';
import { PackedBlock } from './packed-block.js';
import { packedItem, packedItems } from './packed-items.js';
import type { ItemRecord } from './item-record.js';

const long = 'long "é" 日本 \0 \n'.repeat(300);
const row = (id: number, turn: number, more: Partial<ItemRecord> = {}): ItemRecord => ({ id, place: 1, turn, step: null, ord: null, item_id: `item ${id}`, state: null, body: '{"kind":"plan","text":"a"}', ...more });
const rows = [
  row(1, 100), row(2, 100, { item_id: 'ü\n","\0', state: '{"s":1}', body: '"日本"' }), row(3, 200, { step: 2, ord: orderKey(0, [7, 8, 9]), body: deflated(long) }), row(4, 100, { place: 0, item_id: '', body: '' }), row(5, 300),
];

function table() {
  const db = new Database(':memory:');
  onTestFinished(() => void db.close());
  db.exec('CREATE TABLE items (id INTEGER PRIMARY KEY, place INTEGER, turn INTEGER, step INTEGER, ord BLOB, item_id TEXT, state TEXT, body TEXT)');
  for (const item of rows) db.prepare('INSERT INTO items VALUES (@id, @place, @turn, @step, @ord, @item_id, @state, @body)').run(item);
  return db;
}

const ofTurn = (turn: number): ItemRecord[] => rows.filter((item) => item.turn === turn);
const byId = (a: { id: number }, b: { id: number }): number => a.id - b.id;
const plain = <T extends { order: string }>(item: T): T => ({ ...item, order: item.order.toLowerCase() });

describe('[R-STO-1] items of several turns at once', () => {
  it('are those of the turns, whatever their texts hold', () => {
    const found = packedItems(table(), () => [])('[100, 200, 999]').sort(byId);
    expect(found.map(plain)).toEqual([...ofTurn(100), ...ofTurn(200)].sort(byId).map(packedItem).map(plain));
    expect(unpackedText(found[1]?.itemId ?? '')).toBe(rows[1]?.item_id);
    const body = found[2]?.body;
    expect(typeof body === 'object' && inflated(body)).toBe(long);
    expect(orderOfDigits(found[2]?.order ?? '')).toEqual([7, 8, 9]);
    expect(packedItems(table(), () => [])('[999]')).toEqual([]);
  });

  it('are looked up turn by turn where they are too large for one row', () => {
    const db = table();
    const items = packedItems(db, ofTurn);
    const statement = Object.getPrototypeOf(db.prepare('SELECT 1')) as { all: () => unknown };
    const spy = vi.spyOn(statement, 'all').mockImplementation(() => { throw new Database.SqliteError('string or blob too big', 'SQLITE_TOOBIG'); });
    onTestFinished(() => spy.mockRestore());
    expect(items('[100, 200]').map(({ id }) => id)).toEqual([1, 2, 4, 3]);
  });
});

describe('packed text', () => {
  it('[R-STO-1] comes out of its blocks as it went in', () => {
    const texts = ['', 'a', 'é'.repeat(5), '日本 😀', 'x'.repeat(40), '', '"\n"'];
    for (const size of [1, 7, 16, 1_000]) {
      const block = new PackedBlock(size);
      const bytes: number[] = [];
      for (const text of texts.map(packedText)) if (!block.take(text)) for (const full of block.add(text)) bytes.push(...full);
      for (const full of block.rest()) bytes.push(...full);
      expect(Buffer.from(bytes).toString('utf8')).toBe(texts.join(''));
      expect(texts.map((text) => unpackedText(packedText(text)))).toEqual(texts);
    }
  });
});
