import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { StatementId } from '@muripo/contract/ids'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { invariant } from '../../../../platform/errors.ts'
import { decimalText } from '../amounts.ts'
import { StatementCheck, type TypedFacts } from '../check-statement.ts'
import { readCamt } from '../read-camt.ts'
import { readTable } from '../read-table.ts'
import { rowsOfCsv, rowsOfSheet } from '../rows.ts'
import {
  type StatementHead,
  type StatementLine,
  type StatementPart,
  StatementRefused,
  storedText,
  type UnreadRow,
} from '../statement.ts'
import { lockSource, type StatementSource } from '../store-sources.ts'
import {
  addLines,
  beginImport,
  beginLines,
  closeStatement,
  countRepeated,
  endOfChain,
  findStatement,
  insertStatement,
  previousOf,
  type StoredStatement,
  statementsOfFile,
  storeLines,
  storeUnread,
} from '../store-statements.ts'

const BATCH = 2_000
/** More rows that cannot be read show that the mapping is wrong, and nobody would type them. */
const MOST_UNREAD = 200

export interface ImportedFile {
  /** Whether the file was imported before, so that nothing has changed. */
  readonly isRepeated: boolean
  readonly statements: readonly StoredStatement[]
  /** Lines that an earlier statement of the source has too. */
  readonly repeatedLines: number
}

/**
 * Imports a file of a source in one transaction: all of its statements, or nothing. A second import of the same file returns the same
 * statements, also at the same time, because an import locks its source.
 * @throws StatementRefused for a file that cannot be read, does not lead from its opening to its closing balance, or does not continue the chain
 */
export const importStatement = (
  ctx: Ctx,
  operator: Actor,
  file: { readonly path: string; readonly name: string },
  sourceId: string,
  typed: TypedFacts = {},
): Promise<ImportedFile> =>
  ctx.db.tx(async (tx) => {
    await beginImport(tx)
    const source = await lockSource(tx, sourceId)
    if (!source) throw new StatementRefused(`There is no source "${sourceId}": see statements sources.`)
    const hash = createHash('sha256')
    const reader = new FileImport(ctx, tx, source, typed)
    for await (const part of partsOf(hashed(createReadStream(file.path), hash), source))
      await reader.take(part)
    const sha256 = hash.digest()
    const before = await statementsOfFile(tx, source.id, sha256)
    if (before.length > 0) return { isRepeated: true, statements: before, repeatedLines: 0 }
    const name = storedText(file.name, 200) ?? 'unnamed'
    return { isRepeated: false, ...(await reader.store({ name, sha256 }, operator)) }
  })

async function* hashed(
  bytes: AsyncIterable<Buffer>,
  hash: { update(data: Buffer): unknown },
): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    hash.update(chunk)
    yield chunk
  }
}

async function* partsOf(
  bytes: AsyncIterable<Buffer>,
  source: StatementSource,
): AsyncGenerator<StatementPart> {
  const { format, mapping } = source
  if (format === 'csv') {
    invariant(mapping, 'a source of tables has a mapping')
    yield* readTable(rowsOfCsv(bytes, mapping), mapping, source)
    return
  }
  const chunks: Buffer[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  const file = Buffer.concat(chunks)
  if (format === 'camt.053') yield* readCamt(file, source)
  else {
    invariant(mapping, 'a source of tables has a mapping')
    yield* readTable(rowsOfSheet(file, mapping), mapping, source)
  }
}

interface ReadStatement {
  readonly check: StatementCheck
  readonly head: StatementHead
  readonly unread: readonly UnreadRow[]
}

/** The statements of a file, whose lines are in the database before their balances are known. */
class FileImport {
  readonly #ctx: Ctx
  readonly #tx: Tx
  readonly #source: StatementSource
  readonly #typed: TypedFacts
  readonly #read: ReadStatement[] = []
  #check: StatementCheck
  #unread: UnreadRow[] = []
  #lines: StatementLine[] = []

  constructor(ctx: Ctx, tx: Tx, source: StatementSource, typed: TypedFacts) {
    this.#ctx = ctx
    this.#tx = tx
    this.#source = source
    this.#typed = typed
    this.#check = this.#newCheck()
  }

  #newCheck(): StatementCheck {
    return new StatementCheck({
      ...this.#source,
      isNewestFirst: this.#source.mapping?.order === 'newest first',
    })
  }

  async take(part: StatementPart): Promise<void> {
    if (part.is === 'line') {
      this.#check.add(part.line)
      this.#lines.push(part.line)
      if (this.#lines.length >= BATCH) await this.#flush()
    } else if (part.is === 'skipped') this.#check.skip(part.netMinor)
    else if (part.is === 'unread') {
      this.#check.skipUnread()
      this.#unread.push(part.unread)
      if (this.#unread.length > MOST_UNREAD) throw this.#refusal(`More than ${MOST_UNREAD} rows`)
    } else {
      if (this.#check.isEmpty && this.#unread.length > 0) throw this.#refusal('All rows')
      await this.#flush()
      this.#read.push({ check: this.#check, head: part.head, unread: this.#unread })
      this.#check = this.#newCheck()
      this.#unread = []
    }
  }

  #refusal(subject: string): StatementRefused {
    const [first] = this.#unread
    return new StatementRefused(
      `${subject} cannot be read by the mapping. The first is row ${first?.row}: ${first?.reason}.`,
    )
  }

  async #flush(): Promise<void> {
    await beginLines(this.#tx)
    if (this.#lines.length > 0) await addLines(this.#tx, this.#read.length + 1, this.#lines)
    this.#lines = []
  }

  async store(
    file: { readonly name: string; readonly sha256: Buffer },
    operator: Actor,
  ): Promise<Pick<ImportedFile, 'statements' | 'repeatedLines'>> {
    const stored: StoredStatement[] = []
    let repeatedLines = 0
    for (const [index, each] of this.#read.entries()) {
      const statement = await this.#storeOne(each, index + 1, file, operator)
      repeatedLines += await countRepeated(this.#tx, statement.id)
      stored.push(statement)
    }
    return { statements: stored, repeatedLines }
  }

  async #storeOne(
    { check, head, unread }: ReadStatement,
    part: number,
    { name, sha256 }: { readonly name: string; readonly sha256: Buffer },
    operator: Actor,
  ): Promise<StoredStatement> {
    const { id: sourceId, currency, timeZone } = this.#source
    const end = await endOfChain(this.#tx, sourceId)
    if (end?.status === 'partial')
      throw new StatementRefused(
        `The last statement ${end.id} has ${end.unread} unread rows: resolve them with statements resolve, or remove it with statements discard.`,
      )
    const typed = part === 1 && this.#read.length === 1 ? this.#typed : onlyGapReason(this.#typed)
    const checked = check.finish(head, end ? previousOf(end) : null, typed)
    const id = this.#ctx.ids.next(StatementId)
    await insertStatement(this.#tx, {
      ...checked,
      id,
      sourceId,
      fileName: name,
      sha256,
      part,
      receivedBy: operator.name,
    })
    await storeLines(this.#tx, { id, sourceId, part }, timeZone)
    await storeUnread(this.#tx, id, unread)
    if (unread.length === 0) await closeStatement(this.#tx, id)
    await audit(this.#ctx, this.#tx, operator, {
      action: 'statement.imported',
      subject: id,
      accountId: null,
      details: {
        source: sourceId,
        file: name,
        sha256: sha256.toString('hex'),
        lines: checked.lines,
        opening: decimalText(checked.openingMinor, currency),
        openingFrom: checked.openingFrom,
        closing: decimalText(checked.closingMinor, currency),
        closingFrom: checked.closingFrom,
        currency,
        unreadRows: unread.length,
        gapReason: checked.gapReason,
      },
    })
    const statement = await findStatement(this.#tx, id)
    invariant(statement, 'a stored statement is found')
    return statement
  }
}

/** Typed balances belong to one statement. */
const onlyGapReason = ({ gapReason, ...balances }: TypedFacts): TypedFacts => {
  if (Object.values(balances).some((value) => value !== undefined))
    throw new StatementRefused(
      'The file has several statements, so balances and days cannot be typed for it.',
    )
  return gapReason === undefined ? {} : { gapReason }
}
