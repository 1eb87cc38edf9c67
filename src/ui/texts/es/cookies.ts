import type { Translation } from '../../../platform/texts/messages.ts'
import type { texts as english } from '../en/cookies.ts'

export const texts: Translation<typeof english> = {
  'cookies.choice': 'Elección de cookies',
  'cookies.text':
    'Necesitamos unas pocas cookies para mantener tu sesión abierta. Las posibles cookies de publicidad y de análisis, y los avisos de fallos, esperan a que nos des permiso.',
  'cookies.more': 'Más información',
  'cookies.only-necessary': 'Solo las necesarias',
  'cookies.all': 'Permitir todas las cookies',
  'cookies.settings': 'Ajustes de cookies',
  'cookies.necessary':
    'Necesarias: las cookies que mantienen tu sesión y tu acceso, y lo que este navegador recuerda porque tú lo elegiste, como tu cámara, tu idioma o esta respuesta.',
  'cookies.optional':
    'Opcionales: informes sobre los fallos de esta página, que se guardan en este navegador hasta que nos llegan, y cifras sobre la calidad de las llamadas, sin tu nombre. Si algún día hay publicidad o análisis, también irán aquí. Todo funciona sin ellos.',
  'cookies.optional.none':
    'Opcionales: nada por ahora. Si algún día hay informes de fallos o de la calidad de las llamadas, publicidad o análisis, irán aquí. Todo funciona sin ellos.',
  'cookies.now.none': 'Aún no has elegido: solo se usa lo necesario.',
  'cookies.now.necessary': 'Permites lo necesario.',
  'cookies.now.all': 'Permites todo.',
}
