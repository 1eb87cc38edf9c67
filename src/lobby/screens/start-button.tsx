import { useNavigate } from 'react-router-dom'
import { ABOVE_DASHBOARD } from '../../platform/rules/history-entry.ts'
import { useTexts } from '../../platform/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import styles from './dashboard.module.css'

export function StartButton() {
  const t = useTexts()
  const navigate = useNavigate()
  return (
    <Button className={styles.start} onClick={() => void navigate('/buzzing', { state: ABOVE_DASHBOARD })}>
      {t('dashboard.start')}
    </Button>
  )
}
