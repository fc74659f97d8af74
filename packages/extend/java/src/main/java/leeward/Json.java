package leeward;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads JSON into maps, lists, strings, doubles, booleans and null; writes values as messages quote them. */
final class Json {
    private static final int MAX_DEPTH = 64;
    private static final int MAX_QUOTED = 80;
    private static final String ESCAPED = "\"\\/\b\f\n\r\t";
    private static final String ESCAPES = "\"\\/bfnrt";

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** @throws IllegalArgumentException if the text is not JSON */
    static Object parse(String text) {
        Json json = new Json(text);
        Object value = json.value(0);
        json.expect(json.next() == 0);
        return value;
    }

    private void expect(boolean isValid) {
        if (!isValid) throw new IllegalArgumentException("not JSON at character " + at);
    }

    private char next() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
        return at < text.length() ? text.charAt(at) : 0;
    }

    private boolean take(char expected) {
        if (next() != expected) return false;
        at++;
        return true;
    }

    private Object value(int depth) {
        expect(depth < MAX_DEPTH);
        if (take('"')) return string();
        if (take('{')) {
            Map<String, Object> map = new LinkedHashMap<>();
            while (!take('}')) {
                expect((map.isEmpty() || take(',')) && take('"'));
                String key = string();
                expect(take(':') && !map.containsKey(key));
                map.put(key, value(depth + 1));
            }
            return map;
        }
        if (take('[')) {
            List<Object> list = new ArrayList<>();
            while (!take(']')) {
                expect(list.isEmpty() || take(','));
                list.add(value(depth + 1));
            }
            return list;
        }
        int from = at;
        while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) at++;
        String word = text.substring(from, at);
        if (word.equals("null")) return null;
        if (word.equals("true") || word.equals("false")) return word.equals("true");
        expect(word.matches("-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?"));
        return Double.valueOf(word);
    }

    private String string() {
        StringBuilder read = new StringBuilder();
        for (; at < text.length() && text.charAt(at) != '"'; at++) {
            char letter = text.charAt(at);
            if (letter == '\\') {
                expect(++at < text.length());
                int place = ESCAPES.indexOf(text.charAt(at));
                boolean isCode = place < 0 && text.charAt(at) == 'u' && at + 4 < text.length();
                expect(place >= 0 || isCode);
                letter = isCode ? (char) Integer.parseInt(text.substring(at + 1, at + 5), 16) : ESCAPED.charAt(place);
                if (isCode) at += 4;
            }
            read.append(letter);
        }
        expect(take('"'));
        return read.toString();
    }

    /** Writes JSON of at most 78 characters. */
    static String quote(Object value) {
        String json = write(value);
        return json.length() > MAX_QUOTED ? json.substring(0, MAX_QUOTED - 3) + "…" : json;
    }

    private static String write(Object value) {
        if (value == null || value instanceof Boolean) return String.valueOf(value);
        if (value instanceof List<?> list) return list.stream().map(Json::write).collect(Collectors.joining(",", "[", "]"));
        if (value instanceof Object[] array) return write(List.of(array));
        if (value instanceof Number number) {
            double exact = number.doubleValue();
            if (Math.abs(exact) < 1e15 && exact == Math.rint(exact)) return String.valueOf((long) exact);
            boolean isPlain = Math.abs(exact) < 1e21 && Math.abs(exact) >= 1e-6;
            return isPlain ? new BigDecimal(Double.toString(exact)).stripTrailingZeros().toPlainString() : String.valueOf(exact);
        }
        StringBuilder out = new StringBuilder("\"");
        for (char letter : value.toString().toCharArray()) {
            int place = letter == '/' ? -1 : ESCAPED.indexOf(letter);
            out.append(place >= 0 ? "\\" + ESCAPES.charAt(place) : letter < ' ' ? String.format("\\u%04x", (int) letter) : String.valueOf(letter));
        }
        return out.append('"').toString();
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
        if (value instanceof Map) return (Map<String, Object>) value;
        throw new ClassCastException(quote(value) + " instead of an object");
    }

    /** Returns a member that is an object; empty if it is missing. */
    static Map<String, Object> object(Map<String, Object> object, String key) {
        return object.get(key) == null ? Map.of() : object(object.get(key));
    }

    /** Returns a member that is a list; empty if it is missing. */
    static List<?> list(Map<String, Object> object, String key) {
        if (object.get(key) == null) return List.of();
        if (object.get(key) instanceof List<?> list) return list;
        throw new ClassCastException(key + " is " + quote(object.get(key)) + " instead of a list");
    }

    static List<String> texts(Map<String, Object> object, String key) {
        return list(object, key).stream().map(String.class::cast).toList();
    }

    static List<Map<String, Object>> objects(Map<String, Object> object, String key) {
        return list(object, key).stream().map(Json::object).toList();
    }

    static String text(Map<String, Object> object, String key) {
        if (object.get(key) instanceof String text) return text;
        throw new ClassCastException(key + " is " + quote(object.get(key)) + " instead of text");
    }

    static int number(Object value) {
        if (value instanceof Double number) return number.intValue();
        throw new ClassCastException(quote(value) + " instead of a number");
    }
}
