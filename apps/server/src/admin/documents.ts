import { open, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { FileId } from '@muripo/contract/ids'
import { cleanEmail } from '@muripo/contract/typed-text'
import { documentsOfAccounts, readDocument, showDocument } from '../modules/identity/index.ts'
import { typedId } from './arguments.ts'
import { type Command, type CommandArguments, type OperatorContext, Refused } from './command.ts'
import { ageText, block, firstOf, oneLine, sizeText } from './print.ts'

const SHOWN = 50

export const documentCommands: readonly Command[] = [
  {
    words: 'documents list',
    optional: { of: 'EMAIL' },
    does: 'list the documents of accounts, the newest account first',
    async run({ ctx }, { options }) {
      const email = options.of === undefined ? null : cleanEmail(options.of)
      const documents = await documentsOfAccounts(ctx.db.kysely, email, SHOWN + 1)
      if (documents.length === 0) {
        return email === null
          ? 'There are no accounts.'
          : `Nobody has an account with the email ${oneLine(email)}.`
      }
      const now = ctx.clock.now()
      return firstOf(
        documents,
        SHOWN,
        ({ id, type, sizeBytes, uploadedAt, merchant }) =>
          block(id, [
            ['Merchant', `${merchant.fullname} <${merchant.email}>`],
            [
              'Document',
              `${kindText(type)}, ${sizeText(sizeBytes)}, uploaded ${ageText(uploadedAt, now)} ago`,
            ],
          ]),
        ' --of EMAIL finds one.',
      )
    },
  },
  {
    words: 'documents show',
    parameters: ['ID'],
    does: 'show the facts about a document; the audit log records the access',
    async run({ ctx, operator }, args) {
      const id = idIn(args)
      const document = await showDocument(ctx, operator, id)
      if (document === null) throw noDocument(id)
      const { merchant, type, sizeBytes, uploadedAt, sha256 } = document
      return block(id, [
        ['Merchant', `${merchant.fullname} <${merchant.email}>`],
        ['Account', merchant.id],
        ['Document', kindText(type)],
        ['Size', `${sizeText(sizeBytes)} (${sizeBytes.toLocaleString('en-US')} bytes)`],
        ['Uploaded', `${uploadedAt.toISOString()}, ${ageText(uploadedAt, ctx.clock.now())} ago`],
        ['SHA-256', sha256.toString('hex')],
        ['To read', `npm run admin -- documents save ${id} FILE.pdf`],
      ])
    },
  },
  {
    words: 'documents save',
    parameters: ['ID', 'FILE'],
    does: 'write a document to a new file that only the present user can read; the audit log records the access',
    run: save,
  },
]

const kindText = (type: string): string => type.replaceAll('_', ' ')

const idIn = ({ values }: CommandArguments): FileId => typedId(FileId, 'a document', values[0])

const noDocument = (id: FileId): Refused =>
  new Refused(`No account has a document ${id}: documents list shows them.`)

async function save({ ctx, operator, directory }: OperatorContext, args: CommandArguments): Promise<string> {
  const id = idIn(args)
  const file = path.resolve(directory, args.values[1] ?? '')
  // The file is opened before the document is read, so that the audit log has no entry for a document that could not be written.
  const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new Refused(cannotWrite(file, error))
  })
  try {
    const content = await readDocument(ctx, operator, id)
    if (content === null) throw noDocument(id)
    await pipeline(content, handle.createWriteStream())
  } catch (error) {
    await handle.close()
    await rm(file, { force: true })
    if (error instanceof Refused) throw error
    throw new Refused(`Document ${id} could not be read: ${oneLine((error as Error).message)}.`)
  }
  return `Saved as ${oneLine(file)}\nIt is somebody's identity: remove it once you have seen it.`
}

function cannotWrite(file: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'EEXIST') return `${oneLine(file)} is there already, and nothing is written over it.`
  if (code === 'ENOENT') return `There is no folder ${oneLine(path.dirname(file))}.`
  return `${oneLine(file)} cannot be written: ${oneLine(message)}.`
}
