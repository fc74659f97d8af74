import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ShoreMapProps } from './shore-map.tsx';

type ShoreMap = typeof import('./shore-map.tsx').ShoreMap;
const loaded = signal<ShoreMap | undefined>(undefined);
const isAway = signal(false);

/** Loaded with the first place. */
export function LazyMap(props: ShoreMapProps) {
  useEffect(() => {
    if (loaded.value) return;
    import('./shore-map.tsx').then(
      ({ ShoreMap }) => {
        loaded.value = ShoreMap;
      },
      () => {
        isAway.value = true;
      },
    );
  }, []);
  const ShoreMap = loaded.value;
  if (ShoreMap) return <ShoreMap {...props} />;
  return (
    <p class="panel soft">
      {isAway.value ? 'The map could not be loaded. The answers include the distance.' : 'Drawing the map …'}
    </p>
  );
}
