import { messages } from './messages.ts'
import { Sentence } from './sentence.tsx'

interface OtherPhoneProps {
  readonly code: string | null
  /** The address of this gateway, without a path. */
  readonly origin: string
}

/** The code for another phone, or the wish for one. */
export const OtherPhone = ({ code, origin }: OtherPhoneProps) =>
  code === null ? (
    <form method="post">
      <input type="hidden" name="intent" value="resume" />
      <button type="submit" className="back">
        {messages.otherPhone}
      </button>
    </form>
  ) : (
    <p className="resume-code">
      <Sentence
        of={messages.otherPhoneCode}
        values={{
          address: <b>{`${origin.replace(/^https?:\/\//, '')}/resume`}</b>,
          code: <b className="whole">{code}</b>,
        }}
      />
    </p>
  )
