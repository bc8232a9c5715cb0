import type { EventEncoder } from '../events.ts'
import { createNativeEncoder } from './encode-native.ts'

/** How a stream is to be written: plain data, because it crosses the object's boundary. */
export type Face = { readonly type: 'native' }

/** A fresh encoder of that face. */
export function createEncoder(face: Face): EventEncoder {
  switch (face.type) {
    case 'native':
      return createNativeEncoder()
  }
}
