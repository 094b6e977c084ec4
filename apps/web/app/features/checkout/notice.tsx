import type { ReactNode } from 'react'

interface NoticeProps {
  readonly mark: string
  readonly tone: 'good' | 'grey' | 'purple' | 'amber'
  readonly title: string
  readonly children: ReactNode
}

/** A page whose content is one message. */
export const Notice = ({ mark, tone, title, children }: NoticeProps) => (
  <div className="notice">
    <span className={`mark ${tone}`} aria-hidden="true">
      {mark}
    </span>
    <h1>{title}</h1>
    {children}
  </div>
)
