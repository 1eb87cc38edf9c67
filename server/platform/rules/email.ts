/** Sends one email. Resolves with `refused` if the mail server will never accept it; rejects if a retry may help. */
export interface EmailTransport {
  send(email: { id: string; to: string; subject: string; text: string }): Promise<'sent' | 'refused'>
}
