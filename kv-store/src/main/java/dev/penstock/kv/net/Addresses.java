package dev.penstock.kv.net;

import dev.penstock.error.ErrorCategory;
import dev.penstock.error.PenstockException;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** {@code HOST:PORT} as text. */
public final class Addresses {
    private Addresses() {}

    /**
     * Where to listen.
     *
     * @throws PenstockException of category USAGE if it is no address or the host is not known
     */
    public static InetSocketAddress parse(String text) {
        InetSocketAddress address = lookUp(text);
        if (address.isUnresolved()) {
            throw PenstockException.usage("the host of address '" + text + "' is not known");
        }
        return address;
    }

    /**
     * Where to connect to. A name that is not known now may be known later: containers have theirs
     * only while they run.
     *
     * @throws PenstockException of category USAGE if it is no address, RETRY if the host is not
     *     known
     */
    static InetSocketAddress resolve(String text) {
        InetSocketAddress address = lookUp(text);
        if (address.isUnresolved()) {
            throw new PenstockException(
                    ErrorCategory.RETRY,
                    "server "
                            + text
                            + " cannot be reached: the host "
                            + address.getHostString()
                            + " is not known");
        }
        return address;
    }

    private static InetSocketAddress lookUp(String text) {
        InetSocketAddress address = check(text);
        return new InetSocketAddress(address.getHostString(), address.getPort());
    }

    /**
     * The address, whose host may not be known.
     *
     * @throws PenstockException of category USAGE if it is no address
     */
    public static InetSocketAddress check(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        int port = port(colon < 0 ? "" : text.substring(colon + 1));
        if (host.isBlank() || port < 0) {
            throw PenstockException.usage(
                    "'" + text + "' is no address; expected HOST:PORT, 127.0.0.1:7070 for example");
        }
        return InetSocketAddress.createUnresolved(host, port);
    }

    /** Several addresses, separated by commas. */
    public static List<String> split(String list) {
        List<String> addresses = new ArrayList<>();
        for (String part : list.split(",", -1)) {
            if (!part.isBlank()) {
                addresses.add(part.strip());
            }
        }
        if (addresses.isEmpty()) {
            throw PenstockException.usage("no address of a server is given; expected HOST:PORT");
        }
        return addresses;
    }

    public static String format(InetSocketAddress address) {
        String host =
                address.getAddress() == null
                        ? address.getHostString()
                        : address.getAddress().getHostAddress();
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            return port > 65535 ? -1 : port;
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
